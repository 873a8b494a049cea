/// The type of an event, such as `channel.up`. Programs rely on the names: there are new ones, and none changes.
///
/// Each domain declares its own beside its feature.
package struct EventType: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The group of the type: what stands before the dot.
    package var group: String { String(rawValue.prefix { $0 != "." }) }
}
