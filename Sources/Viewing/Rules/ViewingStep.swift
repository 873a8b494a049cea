/// The next step of a decision about who may watch.
package enum ViewingStep: Sendable, Hashable {
    /// A fact that is missing.
    package enum Question: Sendable, Hashable {
        /// The verdict about the signature in the path.
        case signature
        /// The video club's requirement for viewers.
        case restriction
        /// The verdict about the token of another system.
        case token
        /// The sender of the request, and the verdict of the permissions.
        case viewer
        /// The right that the member's rental of the title with an ID gives.
        case rental(title: String)
        /// The answer of the operator's program.
        case hook
    }

    case decided(ViewingVerdict)
    case ask(Question)
}
