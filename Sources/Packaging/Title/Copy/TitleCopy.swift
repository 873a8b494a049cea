package import HLSPlaylist
package import NIOCore

/// The HLS files of one variant of a title: playlists, initialization sections, and all segments of the video, of the
/// audio and of the subtitles that go with it.
package struct TitleCopy: Sendable {
    /// A file of the copy.
    package struct File: Sendable {
        /// The path relative to the multivariant playlist.
        package var path: String
        package var byteCount: Int
        fileprivate var source: Source
    }

    fileprivate enum Source: Sendable {
        case bytes(ByteBuffer)
        /// A segment of a rendition, by the position in `renditions`.
        case segment(rendition: Int, number: Int)
    }

    /// The files, playlists first.
    package let files: [File]
    private let title: PackagedTitle
    private let renditions: [PackagedRendition]

    /// The folder of subtitle segments; in a copy there is one version of them.
    private static let subtitleVersion = "text"

    /// The variants that can be copied, each once: audio groups do not count.
    package static func variants(of title: PackagedTitle) -> [VariantStream] {
        var names: Set<String> = []
        return title.multivariantPlaylist().variants.filter { names.insert($0.uri).inserted }
    }

    /// The name of a variant in URLs.
    package static func name(of variant: VariantStream) -> String { String(variant.uri.dropLast(".m3u8".count)) }

    /// Lists the files of a variant. Reads subtitles: not for event loops.
    ///
    /// - Parameters:
    ///   - name: the name of one of ``variants(of:)``; for any other the result is `nil`.
    ///   - title: the title.
    ///   - subtitles: the title's subtitles.
    package init?(_ name: String, of title: PackagedTitle, subtitles: SubtitleRenditions) {
        var playlist = title.multivariantPlaylist(subtitles: subtitles)
        playlist.variants = playlist.variants.filter { Self.name(of: $0) == name }
        guard !playlist.variants.isEmpty else { return nil }
        let groups = Set(playlist.variants.flatMap { [$0.audioGroupID, $0.subtitlesGroupID].compactMap(\.self) })
        playlist.renditions = playlist.renditions.filter { groups.contains($0.groupID) }
        playlist.iFrameVariants = []
        var names = [name]
        for rendition in playlist.renditions where rendition.type == .audio {
            guard let uri = rendition.uri else { continue }
            let audio = String(uri.dropLast(".m3u8".count))
            if !names.contains(audio) { names.append(audio) }
        }
        let found = names.compactMap { title.rendition(named: $0[...]) }
        guard found.count == names.count else { return nil }
        self.title = title
        renditions = found
        var playlists = [Self.file("playlist.m3u8", ByteBuffer(string: playlist.rendered()))]
        var media: [File] = []
        for (position, rendition) in found.enumerated() {
            playlists.append(
                Self.file(
                    "\(rendition.name).m3u8",
                    ByteBuffer(string: title.mediaPlaylist(of: rendition, pathPrefix: "").rendered())))
            media.append(Self.file("\(rendition.name)/init.mp4", rendition.initializationSection()))
            for (number, plan) in rendition.segments.enumerated() {
                media.append(
                    File(
                        path: "\(rendition.name)/\(number).m4s", byteCount: plan.byteCount,
                        source: .segment(rendition: position, number: number)))
            }
        }
        for member in subtitles.members {
            let text = title.subtitlePlaylist(of: member, version: Self.subtitleVersion)
            playlists.append(Self.file("\(member.name).m3u8", ByteBuffer(string: text.rendered())))
            let document = member.track.load()
            for number in text.segments.indices {
                guard let segment = title.subtitleSegment(number, of: document) else { continue }
                media.append(Self.file("\(Self.subtitleVersion)/\(member.name)/\(number).vtt", segment))
            }
        }
        files = playlists + media
    }

    private static func file(_ path: String, _ bytes: ByteBuffer) -> File {
        File(path: path, byteCount: bytes.readableBytes, source: .bytes(bytes))
    }

    /// The bytes of a file as they are stored; `nil` if its segment cannot be delivered.
    ///
    /// - Parameter index: an index of ``files``.
    package func media(ofFile index: Int) -> StoredMedia? {
        switch files[index].source {
        case .bytes(let bytes): StoredMedia(file: title.file, runs: [.bytes(bytes)])
        case .segment(let position, let number): title.storedSegment(number, of: renditions[position])
        }
    }

    /// The bytes that are not in the title's file: playlists, initialization sections and subtitles, which tell copies
    /// of different versions apart.
    package var generatedBytes: [ByteBuffer] {
        files.compactMap { file in
            if case .bytes(let bytes) = file.source { bytes } else { nil }
        }
    }
}
