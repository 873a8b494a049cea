/// The latency that a service is made for (ServiceDescription, ISO/IEC 23009-1:2022 §K).
package struct TargetLatency: Sendable, Hashable {
    /// Seconds from the capture of a frame to its display.
    package var target, minimum, maximum: Double
    /// The speeds of playback with which a player may keep to it.
    package var rates: ClosedRange<Double>
    /// The number of the producer's reference time from which it counts.
    package var reference: Int

    package init(target: Double, minimum: Double, maximum: Double, rates: ClosedRange<Double>, reference: Int) {
        (self.target, self.minimum, self.maximum) = (target, minimum, maximum)
        (self.rates, self.reference) = (rates, reference)
    }

    func write(into writer: inout XMLWriter) {
        func milliseconds(_ name: String, _ seconds: Double) -> XMLAttribute {
            .init(name, Int64(clamping: seconds * 1_000))
        }
        writer.element("ServiceDescription", [.init("id", 0)]) { writer in
            writer.element(
                "Latency",
                [
                    milliseconds("target", target), milliseconds("min", minimum), milliseconds("max", maximum),
                    .init("referenceId", Int64(reference)),
                ])
            writer.element(
                "PlaybackRate",
                [.init("min", decimal: rates.lowerBound), .init("max", decimal: rates.upperBound)])
        }
    }
}
