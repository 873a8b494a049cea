import Foundation

/// A packet reported by ffprobe; times are in ticks of the stream's timescale, without edit lists.
package struct ProbedPacket: Sendable {
    package var stream: Int
    package var presentationTime: Int64
    package var decodeTime: Int64
    package var offset: Int64
    package var byteCount: UInt32
    package var isKey: Bool

    private struct Output: Decodable {
        struct Packet: Decodable {
            var stream_index: Int
            var pts: Int64
            var dts: Int64
            var size: String
            var pos: String
            var flags: String
        }
        var packets: [Packet]
    }

    /// All packets of a file, in file order.
    package static func all(of path: String) async throws -> [ProbedPacket] {
        let result = try await ExternalTool.ffprobe().run([
            "-v", "error", "-ignore_editlist", "1", "-show_entries", "packet=stream_index,pts,dts,size,pos,flags",
            "-of", "json", path,
        ])
        return try JSONDecoder().decode(Output.self, from: Data(result.output)).packets.map { packet in
            ProbedPacket(
                stream: packet.stream_index, presentationTime: packet.pts, decodeTime: packet.dts,
                offset: Int64(packet.pos) ?? -1, byteCount: UInt32(packet.size) ?? 0,
                isKey: packet.flags.hasPrefix("K"))
        }
    }
}
