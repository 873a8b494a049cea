import Foundation
import HLSPlaylist
import ISOBMFF
import NIOCore
import Packaging
import TestSupport

/// A title's playlists, sections and segments written out as files, for players to open.
struct ExportedTitle {
    let source: String
    let title: PackagedTitle
    let directory: TemporaryDirectory
    /// The playlists, keyed by rendition name.
    let playlists: [String: MediaPlaylist]
    let multivariant: MultivariantPlaylist

    init(_ fixture: MovieFixture) async throws {
        try self.init(fileAt: try await fixture.path())
    }

    init(fileAt path: String) throws {
        let file = try MediaFile(path: path)
        let title = try PackagedTitle(index: try MovieIndex.read(from: file), file: file)
        let directory = try TemporaryDirectory(label: "title")
        try directory.write(title.multivariantPlaylist().rendered(), to: "playlist.m3u8")
        var playlists: [String: MediaPlaylist] = [:]
        for rendition in title.renditions {
            let playlist = title.mediaPlaylist(of: rendition, pathPrefix: "r1/")
            playlists[rendition.name] = playlist
            try directory.write(playlist.rendered(), to: "\(rendition.name).m3u8")
            try directory.write(
                rendition.initializationSection().readableBytesView, to: "r1/\(rendition.name)/init.mp4")
            for index in rendition.segments.indices {
                let segment = try Self.segment(index, of: rendition, in: title)
                try directory.write(segment.readableBytesView, to: "r1/\(rendition.name)/\(index).m4s")
            }
        }
        source = path
        self.title = title
        self.directory = directory
        self.playlists = playlists
        multivariant = title.multivariantPlaylist()
    }

    var multivariantPath: String { "\(directory.path)/playlist.m3u8" }

    func playlistPath(_ rendition: PackagedRendition) -> String { "\(directory.path)/\(rendition.name).m3u8" }

    /// A segment's bytes as delivered.
    func segment(_ index: Int, of rendition: PackagedRendition) throws -> [UInt8] {
        try bytesOfFile("\(directory.path)/r1/\(rendition.name)/\(index).m4s")
    }

    struct NotDelivered: Error {}

    static func segment(_ index: Int, of rendition: PackagedRendition, in title: PackagedTitle) throws -> ByteBuffer {
        let read = try title.segment(index, of: rendition, allocator: ByteBufferAllocator(), cachedOnly: false)
        guard case .complete(let buffer)? = read else { throw NotDelivered() }
        return buffer
    }
}

/// A segment in memory, for reading it back with our own parser.
struct InMemorySegment: RandomAccessData {
    var buffer: ByteBuffer
    var byteCount: Int64 { Int64(buffer.readableBytes) }

    struct OutOfRange: Error {}

    init(initializationSection: ByteBuffer, segment: [UInt8]) {
        buffer = initializationSection
        buffer.writeBytes(segment)
    }

    func read(at offset: Int64, count: Int) throws -> ByteBuffer {
        guard let slice = buffer.getSlice(at: Int(offset), length: count) else { throw OutOfRange() }
        return slice
    }
}

/// The media as ffmpeg decodes it.
enum Decoded {
    /// The MD5 of every frame in presentation order, with its time in seconds.
    static func frames(_ path: String) async throws -> [(time: Double, md5: Substring)] {
        let result = try await ExternalTool.ffmpeg().run([
            "-v", "error", "-nostdin", "-threads", "1", "-noautorotate", "-copyts", "-i", path, "-map", "0:v:0",
            "-vsync", "passthrough", "-enc_time_base", "1:90000", "-f", "framemd5", "-",
        ])
        return result.lines.filter { !$0.hasPrefix("#") }.compactMap { line in
            let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
            guard fields.count >= 6, let ticks = Double(fields[2]) else { return nil }
            return (ticks / 90_000, fields[5])
        }
    }

    /// All audio samples, 16 bits, interleaved.
    static func audio(_ path: String) async throws -> [UInt8] {
        try await ExternalTool.ffmpeg().run([
            "-v", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-f", "s16le", "-",
        ]).output
    }

    /// The presentation time of the first packet of each kind, in seconds, with edit lists applied.
    static func startTimes(_ path: String) async throws -> [String: Double] {
        let result = try await ExternalTool.ffprobe().run([
            "-v", "error", "-show_entries", "stream=codec_type,start_time", "-of", "csv=p=0", path,
        ])
        var times: [String: Double] = [:]
        for line in result.lines {
            let fields = line.split(separator: ",")
            if fields.count >= 2, let time = Double(fields[1]) { times[String(fields[0])] = time }
        }
        return times
    }
}
