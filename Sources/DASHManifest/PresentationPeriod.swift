/// A time during which the renditions and their parameters stay the same (Period, ISO/IEC 23009-1:2022 §5.3.2).
package struct PresentationPeriod: Sendable, Hashable {
    /// The name, which stays the same while the manifest changes.
    package var id: String
    /// Seconds from the beginning of the presentation.
    package var start: Double
    /// The duration in seconds; `nil` if it lasts until the next one, or goes on.
    package var duration: Double?
    package var adaptationSets: [AdaptationSet]

    package init(id: String, start: Double, duration: Double? = nil, adaptationSets: [AdaptationSet]) {
        (self.id, self.start, self.duration, self.adaptationSets) = (id, start, duration, adaptationSets)
    }

    func write(into writer: inout XMLWriter) {
        var attributes: [XMLAttribute] = [.init("id", id), .init("start", seconds: start)]
        if let duration { attributes.append(.init("duration", seconds: duration)) }
        writer.element("Period", attributes) { writer in
            for (index, set) in adaptationSets.enumerated() { set.write(number: index, into: &writer) }
        }
    }
}
