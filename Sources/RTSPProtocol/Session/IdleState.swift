/// A connection without a session.
struct IdleState: Hashable, Sendable {
    /// Presentation of the last answered DESCRIBE, which a SETUP may refer to; `nil` if there is none.
    var presentation: RTSPPresentation?
}
