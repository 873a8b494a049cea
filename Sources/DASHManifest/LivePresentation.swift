/// The statements of a manifest about media that is still being made (ISO/IEC 23009-1:2022 §5.3.1.2).
package struct LivePresentation: Sendable, Hashable {
    /// The date from which the periods' starts count, in milliseconds since 1970. The same in every manifest of a
    /// presentation.
    package var availabilityStart: Int64
    /// When the manifest was made, in milliseconds since 1970.
    package var publishedAt: Int64
    /// Time after which another manifest may say more; `nil` if none will.
    package var minimumUpdatePeriod: Double?
    /// Time for which segments stay available.
    package var timeShiftBufferDepth: Double?
    /// The distance from the live edge at which players without low latency should play.
    package var suggestedDelay: Double?
    /// The place at which players find out what time it is.
    package var clock: DASHDescriptor
    /// The address of patches; `nil` if there are none.
    package var patchLocation: PatchLocation?

    /// The name of the presentation, which is the same in all its manifests and in no other's.
    package var id: String { "live-\(availabilityStart)" }

    package init(
        availabilityStart: Int64, publishedAt: Int64, minimumUpdatePeriod: Double?, timeShiftBufferDepth: Double?,
        suggestedDelay: Double?, clock: DASHDescriptor
    ) {
        (self.availabilityStart, self.publishedAt) = (availabilityStart, publishedAt)
        (self.minimumUpdatePeriod, self.timeShiftBufferDepth) = (minimumUpdatePeriod, timeShiftBufferDepth)
        (self.suggestedDelay, self.clock) = (suggestedDelay, clock)
    }

    var attributes: [XMLAttribute] {
        var attributes: [XMLAttribute] = [
            .init("id", id), .init("type", "dynamic"), .init("availabilityStartTime", date: availabilityStart),
            .init("publishTime", date: publishedAt),
        ]
        let times = [
            ("minimumUpdatePeriod", minimumUpdatePeriod), ("timeShiftBufferDepth", timeShiftBufferDepth),
            ("suggestedPresentationDelay", suggestedDelay),
        ]
        attributes += times.compactMap { name, seconds in seconds.map { XMLAttribute(name, seconds: $0) } }
        return attributes
    }
}
