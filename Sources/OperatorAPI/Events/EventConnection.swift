import Events
import NIOCore

/// The connection of a listener in a crowd, and the only handler of its channel. Confined to its event loop.
///
/// What the client sends is dropped, if the end of the connection brings some of it.
final class EventConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let group: EventGroup
    /// The number of the last event that the listener has seen when it joined.
    let seen: Int64
    private let channel: any Channel
    private let place: EventListenerPlace
    private unowned let broadcaster: EventBroadcaster
    /// Where the broadcaster keeps it.
    var position = Position()

    /// Indexes in the arrays of ``EventBroadcaster``.
    struct Position {
        var inGroup: Int32 = 0
        var slot: Int32 = 0
        var inSlot: Int32 = 0
    }

    init(
        _ channel: any Channel, _ group: EventGroup, seen: Int64, place: EventListenerPlace,
        broadcaster: EventBroadcaster
    ) {
        (self.channel, self.group, self.seen) = (channel, group, seen)
        (self.place, self.broadcaster) = (place, broadcaster)
    }

    /// Sends bytes that are shared with others. A client that has not taken what was sent before is disconnected; it may
    /// come back and say what it has seen.
    func send(_ bytes: ByteBuffer) {
        channel.writeAndFlush(bytes, promise: nil)
        if !channel.isWritable { channel.close(promise: nil) }
    }

    /// Ends the response and the connection.
    func finish() {
        channel.writeAndFlush(EventPayload.end, promise: nil)
        channel.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelInactive(context: ChannelHandlerContext) {
        place.end()
        broadcaster.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
