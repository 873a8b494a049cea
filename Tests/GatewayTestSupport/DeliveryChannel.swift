package import HLSDelivery
package import HTTPTypes
package import NIOCore
package import NIOEmbedded
import NIOHTTP1
package import NIOHTTPTypes
import NIOPosix

/// One connection with a controllable clock, for responses that are served from memory.
package final class DeliveryChannel {
    package let embedded: EmbeddedChannel
    package let router = FakeRouter()
    package let reads = ReadCounter()

    /// - Parameter unsentByteCount: the number of bytes that the client has not received, for an HTTP/1.1 connection.
    package init(_ delivery: MediaDelivery, unsentByteCount: (@Sendable (any Channel) -> Int?)? = nil) throws {
        embedded = EmbeddedChannel()
        // Playlists bypass the codec, whose presence identifies the connection as HTTP/1.1.
        if unsentByteCount != nil { try embedded.pipeline.syncOperations.addHandler(HTTPResponseEncoder()) }
        let handler = MediaDeliveryHandler(delivery: delivery, unsentByteCount: unsentByteCount ?? { _ in nil })
        try embedded.pipeline.syncOperations.addHandlers([reads, handler, router])
        try embedded.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).wait()
    }

    package func send(_ parts: [HTTPRequestPart]) throws {
        for part in parts { try embedded.writeInbound(part) }
    }

    /// The responses written since the last call.
    package func answers() throws -> [ReceivedAnswer] {
        var parts: [HTTPResponsePart] = []
        while let part = try embedded.readOutbound(as: HTTPResponsePart.self) { parts.append(part) }
        return ReceivedAnswer.answers(parts)
    }

    /// What has been written since the last call, of a response that may not have ended.
    package func outbound() throws -> (head: HTTPResponse?, body: ByteBuffer, hasEnded: Bool) {
        var outbound: (head: HTTPResponse?, body: ByteBuffer, hasEnded: Bool) = (nil, ByteBuffer(), false)
        while let part = try embedded.readOutbound(as: HTTPResponsePart.self) {
            switch part {
            case .head(let head): outbound.head = head
            case .body(let piece): outbound.body.writeImmutableBuffer(piece)
            case .end: outbound.hasEnded = true
            }
        }
        return outbound
    }
}

extension MediaDelivery {
    /// A delivery that serves from memory and needs no threads.
    package static func forMemory(
        _ publisher: RadioPublisher, crossOrigin: MediaCrossOriginPolicy = .everyone,
        viewing: (any ViewingAuthority)? = nil
    ) -> MediaDelivery {
        MediaDelivery(
            channels: publisher.directory, titles: FakeTitles(), threadPool: NIOThreadPool(numberOfThreads: 1),
            budget: DeliveryBudget(), viewing: viewing,
            clock: publisher.clock, crossOrigin: crossOrigin)
    }
}
