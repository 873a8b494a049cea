import Codecs
import Foundation
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport

/// Makes a movie whose NAL units have lengths of one or two bytes out of one with four, as no encoder here does.
///
/// The samples move to the end of the file, in one chunk each.
struct ShortNALUnitLengths {
    let byteCount: Int

    init(_ byteCount: Int) { self.byteCount = byteCount }

    struct TooLong: Error {}

    /// The configuration of the first track; throws what refuses it.
    static func configuration(of path: String) throws {
        let codec = try MovieIndex.read(from: MediaFile(path: path)).tracks[0].codec
        if let obstacle = codec.obstacle { throw CodecError(.unsupported, in: "movie", obstacle) }
    }

    /// Writes the movie, which has one track of video and its `moov` last.
    func rewrite(_ source: String, to target: String) throws {
        let file = try MediaFile(path: source)
        let samples = try MovieIndex.read(from: file).tracks[0].samples
        var nodes = BoxNode.parse(try Data(contentsOf: URL(filePath: source)))
        let start = nodes.reduce(0) { $0 + ($1.type == "moov" || $1.type == "mdat" ? 0 : $1.bytes.count) } + 8
        var media: [UInt8] = []
        var sizes: [UInt32] = []
        var offsets: [UInt32] = []
        for sample in 0..<samples.count {
            let bytes = try file.read(at: samples.offsets[sample], count: Int(samples.byteCounts[sample]))
            let changed = try shortened(Array(bytes.readableBytesView))
            sizes.append(UInt32(changed.count))
            offsets.append(UInt32(start + media.count))
            media += changed
        }
        nodes =
            nodes.filter { $0.type != "mdat" && $0.type != "moov" } + [BoxNode("mdat", media)]
            + nodes.filter { $0.type == "moov" }.map { movie in
                movie.replacing("stsz") { _ in BoxNode(full: "stsz", [0, UInt32(sizes.count)] + sizes) }
                    .replacing("stco") { _ in BoxNode(full: "stco", [UInt32(offsets.count)] + offsets) }
                    .replacing("stsc") { _ in BoxNode(full: "stsc", [1, 1, 1, 1]) }
                    .replacing("stsd") { shortened($0) }
            }
        try Data(nodes.flatMap(\.bytes)).write(to: URL(filePath: target))
    }

    private func shortened(_ sample: [UInt8]) throws -> [UInt8] {
        var rest = sample[...]
        var result: [UInt8] = []
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length < 1 << (8 * byteCount), rest.count >= 4 + length else { throw TooLong() }
            result += (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
            result += rest.dropFirst(4).prefix(length)
            rest = rest.dropFirst(4 + length)
        }
        return result
    }

    /// Changes lengthSizeMinusOne.
    private func shortened(_ box: BoxNode) -> BoxNode {
        var changed = box
        for (type, field) in [("avcC", 4), ("hvcC", 21)] {
            guard let place = box.content.indices.first(where: { box.content[$0...].starts(with: Array(type.utf8)) })
            else { continue }
            let offset = place + 4 + field
            changed.content[offset] = changed.content[offset] & 0xFC | UInt8(byteCount - 1)
        }
        return changed
    }
}
