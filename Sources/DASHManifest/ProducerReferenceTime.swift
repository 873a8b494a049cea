/// The date at which a frame was taken, by which players measure the latency (ISO/IEC 23009-1:2022 §5.12).
package struct ProducerReferenceTime: Sendable, Hashable {
    package var id: Int
    /// Milliseconds since 1970.
    package var date: Int64
    /// Ticks on the segments' own timeline.
    package var presentationTime: Int64
    /// The place at which players find out what time it is.
    package var clock: DASHDescriptor

    package init(id: Int, date: Int64, presentationTime: Int64, clock: DASHDescriptor) {
        (self.id, self.date, self.presentationTime, self.clock) = (id, date, presentationTime, clock)
    }

    func write(into writer: inout XMLWriter) {
        writer.element(
            "ProducerReferenceTime",
            [
                .init("id", Int64(id)), .init("type", "encoder"), .init("wallClockTime", date: date),
                .init("presentationTime", max(0, presentationTime)),
            ]
        ) { clock.write("UTCTiming", into: &$0) }
    }
}
