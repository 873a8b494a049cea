import NIOCore
import TransportStream

extension FuzzTarget {
    static let transportStreamTargets = [
        FuzzTarget(name: "transport-stream", seeds: [seed, seed + seed]) { bytes in
            var demultiplexer = TSDemultiplexer()
            var tracks: [UInt16: TSTrack] = [:]
            for start in stride(from: 0, to: bytes.count, by: 1_316) {
                demultiplexer.append(ByteBuffer(bytes: bytes[start..<min(start + 1_316, bytes.count)]))
                do {
                    while let event = try demultiplexer.next() {
                        switch event {
                        case .streams(let streams):
                            tracks = [:]
                            for stream in streams { tracks[stream.identifier] = TSTrack(stream) }
                        case .frame(let frame): _ = try? tracks[frame.identifier]?.units(of: frame)
                        case .splice(let section, _): _ = SpliceInformation(section)
                        }
                    }
                } catch {
                    return
                }
            }
            _ = demultiplexer.finish()
        }
    ]

    /// The list of programmes, the map of one with H.264 and AAC, and a picture, padded to packets.
    private static let seed: [UInt8] =
        packet(0, [0, 0x00, 0xB0, 0x0D, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0x00, 0x2A, 0xB1, 0x04, 0xB2])
        + packet(
            0x1000,
            [
                0, 0x02, 0xB0, 0x17, 0, 1, 0xC1, 0, 0, 0xE1, 0x00, 0xF0, 0, 0x1B, 0xE1, 0x00, 0xF0, 0, 0x0F, 0xE1, 0x01,
                0xF0, 0, 0x2F, 0x44, 0xB9, 0x9B,
            ])
        + packet(0x100, [0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1, 0, 0, 0, 1, 0x65])

    private static func packet(_ identifier: UInt16, _ payload: [UInt8]) -> [UInt8] {
        [0x47, 0x40 | UInt8(identifier >> 8), UInt8(identifier & 0xFF), 0x10] + payload
            + [UInt8](repeating: 0xFF, count: 184 - payload.count)
    }
}
