/// Stores ``ChannelState``s. Neither call blocks for long: loading happens once at the start, and saving is handed
/// over.
package protocol ChannelStateStore: Sendable {
    /// The stored state of a channel; `nil` if there is none.
    func load(channel: String) -> ChannelState?
    /// Stores a channel's state; returns at once.
    func save(_ state: ChannelState, channel: String)
}
