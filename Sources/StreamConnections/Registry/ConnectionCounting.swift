/// Counts connections, for the metrics page. Called on any thread.
package protocol ConnectionCounting: Sendable {
    /// A connection was refused.
    func refused(_ reason: ConnectionRefusal)
    /// A connection was admitted.
    func opened()
    /// A connection that was admitted has ended.
    func closed()
}
