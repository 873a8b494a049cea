import NIOCore
import RTMPProtocol

extension FuzzTarget {
    static let rtmpTargets = [
        FuzzTarget(name: "rtmp-session", seeds: [InputSplitter.join([connecting]), InputSplitter.join([publishing])]) {
            bytes in
            var session = RTMPServerSession(random: ByteBuffer(repeating: 0, count: RTMPHandshake.randomByteCount))
            // The handshake holds nothing to be found out.
            guard (try? session.receive(hello)) != nil else { fatalError("a handshake was refused") }
            var input = InputSplitter(bytes)
            while let piece = input.next() {
                do {
                    for event in try session.receive(ByteBuffer(bytes: piece)) {
                        switch event {
                        case .connect: session.accept()
                        case .publish(let stream, _), .play(let stream, _): session.accept(stream)
                        case .media(let media): _ = try? FLVTag.tags(in: media)
                        case .data, .end: break
                        }
                    }
                } catch {
                    return
                }
                _ = session.takeOutput()
            }
        },
        FuzzTarget(
            name: "rtmp-client", seeds: [InputSplitter.join([granting]), InputSplitter.join([granting, playing])]
        ) {
            bytes in
            var session = RTMPClientSession(
                .playing, application: "live", name: "a", address: "rtmp://a/live",
                random: ByteBuffer(repeating: 0, count: RTMPHandshake.randomByteCount))
            guard (try? session.receive(hello)) != nil else { fatalError("a handshake was refused") }
            var input = InputSplitter(bytes)
            while let piece = input.next() {
                do {
                    for event in try session.receive(ByteBuffer(bytes: piece)) {
                        if case .content(.media(let media)) = event { _ = try? FLVTag.tags(in: media) }
                    }
                } catch {
                    return
                }
                _ = session.takeOutput()
            }
        },
        FuzzTarget(name: "rtmp-amf", seeds: [Array(connecting.dropFirst(12)), [3, 0, 1, 0x61, 5, 0, 0, 9]]) { bytes in
            _ = try? AMF0Reader.values(ByteBuffer(bytes: bytes))
        },
        FuzzTarget(
            name: "rtmp-tag",
            seeds: [
                [1, 0x17, 1, 0, 0, 40, 0, 0, 0, 1, 0x65],
                [1, 0x97, 2, 0, 1, 0, 1] + Array("hvc1".utf8) + [0, 0, 1, 9],
                [1, 0x96, 0x21] + Array("av01".utf8) + [0, 0, 0, 1, 8], [0, 0xAF, 0, 0x12, 0x10],
            ]
        ) { bytes in
            guard let first = bytes.first else { return }
            let media = RTMPMedia(
                isVideo: first & 1 == 1, timestamp: 0, payload: ByteBuffer(bytes: bytes.dropFirst()))
            guard let tags = try? FLVTag.tags(in: media) else { return }
            for tag in tags { _ = tag.body() }
        },
    ]

    private static let hello = ByteBuffer(bytes: [3] + [UInt8](repeating: 0, count: 2 * 1_536))

    /// `connect` to `live`, in one chunk.
    private static let connecting: [UInt8] = message(
        [2, 0, 7] + Array("connect".utf8) + [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 3, 0, 3] + Array("app".utf8) + [2, 0, 4]
            + Array("live".utf8) + [0, 0, 9], type: 20, stream: 0)

    /// The same, `createStream`, `publish` and a key frame.
    private static let publishing: [UInt8] =
        connecting
        + message([2, 0, 12] + Array("createStream".utf8) + [0, 0x40, 0, 0, 0, 0, 0, 0, 0, 5], type: 20, stream: 0)
        + message(
            [2, 0, 7] + Array("publish".utf8) + [0, 0x40, 8, 0, 0, 0, 0, 0, 0, 5, 2, 0, 1, 0x61], type: 20, stream: 1)
        + message([0x17, 1, 0, 0, 0, 0, 0, 0, 1, 0x65], type: 9, stream: 1)

    /// The answers to `connect` and `createStream`.
    private static let granting: [UInt8] =
        message([2, 0, 7] + Array("_result".utf8) + [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 5, 5], type: 20, stream: 0)
        + message(
            [2, 0, 7] + Array("_result".utf8) + [0, 0x40, 0x10, 0, 0, 0, 0, 0, 0, 5, 0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0],
            type: 20, stream: 0)

    /// The answer to `play`, and a key frame.
    private static let playing: [UInt8] =
        message(
            [2, 0, 8] + Array("onStatus".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 3, 0, 4] + Array("code".utf8)
                + [2, 0, 20] + Array("NetStream.Play.Start".utf8) + [0, 0, 9], type: 20, stream: 1)
        + message([0x17, 1, 0, 0, 0, 0, 0, 0, 1, 0x65], type: 9, stream: 1)

    private static func message(_ body: [UInt8], type: UInt8, stream: UInt8) -> [UInt8] {
        [3, 0, 0, 0, 0, 0, UInt8(body.count), type, stream, 0, 0, 0] + body
    }
}
