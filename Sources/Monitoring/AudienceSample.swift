/// How many watch something at a moment.
package struct AudienceSample: Sendable, Hashable {
    /// The kinds of things that have viewers.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case channel, title
        /// A kind of program with which people watch.
        case client
    }

    package var kind: Kind
    /// The name of the channel, the ID of the title, or the kind of program.
    package var name: String
    package var viewers: Int

    package init(_ kind: Kind, _ name: String, viewers: Int) {
        (self.kind, self.name, self.viewers) = (kind, name, viewers)
    }
}
