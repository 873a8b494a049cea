/// A push as ``ChannelPresence`` sees it.
protocol PresentPush: Sendable {
    /// The identifier of the push, which no other push of the channel has.
    var identifier: String { get }
}
