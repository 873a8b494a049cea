import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

@testable import Gateway

/// A client that only writes the given bytes; it does not answer PING.
struct RawConnection {
    let channel: any Channel
    private let asyncChannel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// - Parameter tls: `nil` connects without TLS.
    static func connect(to port: Int, tls: NIOSSLContext?) async throws -> RawConnection {
        let asyncChannel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            try NIOSSLClientHandler(context: tls, serverHostname: "localhost"))
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return RawConnection(channel: asyncChannel.channel, asyncChannel: asyncChannel)
    }

    /// Writes, then reads until the server closes the connection, TLS reports an error, or `isEnough` is true.
    func exchange(
        _ bytes: [UInt8], isEnough: @Sendable ([UInt8]) -> Bool = { _ in false }
    ) async throws -> [UInt8] {
        try await asyncChannel.executeThenClose { inbound, outbound in
            var received: [UInt8] = []
            do {
                if !bytes.isEmpty { try await outbound.write(ByteBuffer(bytes: bytes)) }
                for try await piece in inbound {
                    received += piece.readableBytesView
                    if isEnough(received) { break }
                }
            } catch {
                // The server may close without an alert if the client breaks the rules.
            }
            return received
        }
    }

    /// Writes, and closes the connection when `body` has returned or thrown.
    func holding(_ bytes: [UInt8], _ body: () async throws -> Void) async throws {
        try await asyncChannel.executeThenClose { _, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            try await body()
        }
    }
}

/// Frames of HTTP/2 as bytes (RFC 9113 §4.1), including invalid ones that no HTTP/2 library sends.
enum RawFrame {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(.settings)

    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case priority = 2
        case resetStream = 3
        case settings = 4
        case ping = 6
        case goAway = 7
        case continuation = 9
    }

    static let endStream: UInt8 = 1
    static let endHeaders: UInt8 = 4

    static func frame(_ kind: Kind, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), kind.rawValue, flags]
            + [24, 16, 8, 0].map { UInt8(stream >> $0 & 255) } + payload
    }

    /// A header block (RFC 7541 §6) with a GET of a short path over HTTPS, and `fields` without compression.
    static func request(_ path: String?, fields: [(name: String, value: String)] = []) -> [UInt8] {
        var block: [UInt8] = [0x82, 0x87]
        if let path { block += [0x04] + text(path) }
        block += [0x01] + text("localhost")
        for field in fields { block += [0x00] + text(field.name) + text(field.value) }
        return block
    }

    private static func text(_ text: String) -> [UInt8] {
        var count = text.utf8.count
        guard count >= 127 else { return [UInt8(count)] + Array(text.utf8) }
        count -= 127
        var bytes: [UInt8] = [127]
        while count >= 128 {
            bytes.append(UInt8(count & 127 | 128))
            count >>= 7
        }
        return bytes + [UInt8(count)] + Array(text.utf8)
    }

    struct Parsed {
        var kind: UInt8
        var stream: Int
        var payload: [UInt8]
    }

    static func parse(_ bytes: [UInt8]) -> [Parsed] {
        var frames: [Parsed] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + count else { break }
            let stream = head[5...8].reduce(0) { $0 << 8 | Int($1) }
            frames.append(
                Parsed(kind: head[3], stream: stream, payload: Array(rest.dropFirst(9).prefix(count))))
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }

    /// The error codes of all GOAWAY frames (RFC 9113 §6.8).
    static func goAwayCodes(_ bytes: [UInt8]) -> [NIOHTTP2.HTTP2ErrorCode] {
        parse(bytes).filter { $0.kind == Kind.goAway.rawValue }.map { frame in
            NIOHTTP2.HTTP2ErrorCode(networkCode: frame.payload.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) })
        }
    }
}
