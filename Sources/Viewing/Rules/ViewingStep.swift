/// The next step of a decision about who may watch.
package enum ViewingStep: Sendable, Hashable {
    /// A fact that is missing.
    package enum Question: Sendable, Hashable {
        /// What the signature in the path is worth.
        case signature
        /// What the video club asks of viewers.
        case restriction
        /// What the token of another system is worth.
        case token
        /// Who sends the request, and what the permissions say of them.
        case viewer
        /// What the member's rental of the title with an ID is good for.
        case rental(title: String)
        /// What the operator's program says.
        case hook
    }

    case decided(ViewingVerdict)
    case ask(Question)
}
