/// A call that waits for a session.
struct PostgreSQLJob: Sendable {
    /// The end of the call.
    let deadline: ContinuousClock.Instant
    /// Runs the call on a session and resumes the caller, whatever happens.
    let run: @Sendable (PostgreSQLSession) -> JobEnd
    /// Resumes the caller with an error.
    let fail: @Sendable (SQLError) -> Void

    /// The outcome of a call.
    enum JobEnd: Sendable {
        /// The caller was resumed.
        case resumed
        /// The connection was lost before anything was changed; the call is to be run on another one.
        case connectionLost(String)
    }
}
