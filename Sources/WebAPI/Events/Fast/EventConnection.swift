import Events
import NIOCore
import NIOPosix
import Packaging

/// The connection of a listener in a crowd, and the only handler of its channel. Confined to its event loop.
///
/// What the client sends is dropped, if the end of the connection brings some of it.
final class EventConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let group: EventGroup
    /// The number of the last event that the listener has seen.
    private var seen: Int64
    private let channel: any Channel
    private let place: EventListenerPlace
    private unowned let broadcaster: EventBroadcaster
    /// The socket; `nil` if the channel has none. What fits into it needs no way through the channel.
    private let socket: SocketDescriptor?
    /// Number of writes that wait in the channel because the socket was full. What comes after them waits as well.
    private var waitingCount = 0
    /// The place at which the broadcaster keeps the connection.
    var position = Position()

    /// Indexes in the arrays of `EventBroadcaster`.
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
        socket = SocketDescriptor(channel)
    }

    /// Sends what the listener has not seen of some payloads, in one write if the system takes it.
    func send(_ payloads: some Sequence<EventPayload>) {
        var all: ByteBuffer?
        for payload in payloads {
            guard var bytes = payload.bytes(after: seen) else { continue }
            seen = payload.last
            if all?.writeBuffer(&bytes) == nil { all = bytes }
        }
        if let all { send(all) }
    }

    /// Sends bytes that are shared with others. A client that has not taken what was sent before is disconnected; it
    /// may come back and say what it has seen.
    func send(_ bytes: ByteBuffer) {
        write(bytes)
        if !channel.isWritable { channel.close(promise: nil) }
    }

    /// Ends the response and the connection.
    func finish() {
        write(EventPayload.end)
        channel.close(promise: nil)
    }

    private func write(_ bytes: ByteBuffer) {
        var bytes = bytes
        if waitingCount == 0, let socket = socket?.usable {
            // An error comes again when the channel writes, which then closes.
            _ = bytes.send(to: socket, hasMore: false)
            if bytes.readableBytes == 0 { return }
        }
        waitingCount += 1
        channel.writeAndFlush(bytes).assumeIsolated().whenComplete { _ in self.waitingCount -= 1 }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelInactive(context: ChannelHandlerContext) {
        place.end()
        broadcaster.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
