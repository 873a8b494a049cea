/// The addresses and times of a rendition's segments (ISO/IEC 23009-1:2022 §5.3.9.4).
package struct SegmentTemplate: Sendable, Hashable {
    /// Ticks per second.
    package var timescale: UInt32
    /// The ticks at which the period starts, on the segments' own timeline.
    package var presentationTimeOffset: Int64
    /// The address of the initialization section; `nil` if there is none.
    package var initialization: String?
    /// The addresses of segments, with `$Number$`.
    package var media: String
    /// The number of the first segment.
    package var startNumber: Int
    package var times: SegmentTimes
    /// Seconds by which a segment can be requested before it is complete; `nil` if it cannot.
    package var availabilityTimeOffset: Double?

    package init(
        timescale: UInt32, presentationTimeOffset: Int64, initialization: String?, media: String, startNumber: Int,
        times: SegmentTimes, availabilityTimeOffset: Double? = nil
    ) {
        (self.timescale, self.presentationTimeOffset) = (timescale, presentationTimeOffset)
        (self.initialization, self.media, self.startNumber) = (initialization, media, startNumber)
        (self.times, self.availabilityTimeOffset) = (times, availabilityTimeOffset)
    }

    func write(into writer: inout XMLWriter) {
        var attributes: [XMLAttribute] = [
            .init("timescale", Int64(timescale)), .init("presentationTimeOffset", max(0, presentationTimeOffset)),
        ]
        if let initialization { attributes.append(.init("initialization", initialization)) }
        attributes += [.init("media", media), .init("startNumber", Int64(startNumber))]
        if let availabilityTimeOffset {
            attributes += [
                .init("availabilityTimeOffset", decimal: availabilityTimeOffset),
                .init("availabilityTimeComplete", "false"),
            ]
        }
        switch times {
        case .alike(let duration):
            attributes.append(.init("duration", duration))
            writer.element("SegmentTemplate", attributes)
        case .timeline(let timeline):
            writer.element("SegmentTemplate", attributes) { timeline.write(into: &$0) }
        }
    }
}
