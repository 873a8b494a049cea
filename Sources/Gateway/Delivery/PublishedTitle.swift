import HLSPlaylist
import LiveChannels
import NIOCore
import Packaging
import Synchronization

/// A title as it is delivered: the packager with what has been rendered of it.
final class PublishedTitle: Sendable {
    let title: PackagedTitle
    let revision: String
    let extras: TitleExtras
    let subtitles: SubtitleRenditions
    private let rendered = Mutex([String: RenderedPlaylist]())

    init(title: PackagedTitle, revision: String, extras: TitleExtras = TitleExtras()) {
        self.title = title
        self.revision = revision
        self.extras = extras
        subtitles = SubtitleRenditions(extras.subtitles)
    }

    /// Whether a player that asks so gets MPEG-TS.
    ///
    /// Encrypted titles are MPEG-TS wherever that carries them: encrypted fMP4 is legal (bis §4.4.4.5), but of the
    /// players that it was tried with only those built on ffmpeg take it. Chromium 156 stands still where EXT-X-MAP is
    /// encrypted, and says "Unsupported crypto method" where it is in the clear; GStreamer 1.22 ends with an error or a
    /// crash on either; Debian's ffmpeg does not write it ("Encrypted fmp4 not yet supported"). All of them play MPEG-TS.
    func isTransportStream(_ directives: DeliveryDirectives) -> Bool {
        if directives.form == .transportStream { return true }
        return extras.encryption != nil && !directives.wantsFragmentedMP4 && title.transportStreamObstacle == nil
    }

    /// - Parameters:
    ///   - name: `playlist` for the multivariant one, or a rendition's; `nil` for any other.
    ///   - isTransportStream: for players that know nothing of fMP4.
    func playlist(named name: String, isTransportStream: Bool = false) -> RenderedPlaylist? {
        let key = isTransportStream && name == "playlist" ? "playlist?format=ts" : name
        return rendered.withLock { rendered in
            if let known = rendered[key] { return known }
            guard let render = rendering(ofPlaylist: key) else { return nil }
            let playlist = RenderedPlaylist(render)
            rendered[key] = playlist
            return playlist
        }
    }

    private func rendering(ofPlaylist key: String) -> (@Sendable () -> String)? {
        let pathPrefix = "\(revision)/"
        switch key {
        case "playlist":
            return { [title, subtitles, extras] in
                title.multivariantPlaylist(subtitles: subtitles, hasChapters: extras.chapters != nil).rendered()
            }
        case "playlist?format=ts":
            return { [title, subtitles] in
                title.transportStreamMultivariantPlaylist(subtitles: subtitles).rendered()
            }
        default:
            if PackagedTitle.isTransportStreamName(key),
                let playlist = title.transportStreamPlaylist(named: key, pathPrefix: pathPrefix)
            {
                return { [self] in encrypted(playlist, as: key).rendered() }
            }
            if let video = title.video(withIFramesNamed: key) {
                return { [self] in
                    title.iFramePlaylist(of: video, pathPrefix: pathPrefix).map {
                        encrypted($0, as: video.name).rendered()
                    } ?? ""
                }
            }
            if let rendition = title.rendition(named: key[...]) {
                return { [self] in
                    let playlist = title.mediaPlaylist(of: rendition, pathPrefix: pathPrefix)
                    return encrypted(playlist, as: rendition.name).rendered()
                }
            }
            guard let member = subtitles.member(named: key) else { return nil }
            let version = subtitleVersion(member)
            return { [title] in title.subtitlePlaylist(of: member, version: version).rendered() }
        }
    }

    /// What the URLs of a subtitle rendition's segments begin with.
    func subtitleVersion(_ member: SubtitleRenditions.Member) -> String { "\(revision)-\(member.track.revision)" }

    /// - Parameter folder: whose initialization section the playlist names: single pictures share the picture's.
    private func encrypted(_ playlist: MediaPlaylist, as folder: String) -> MediaPlaylist {
        guard let encryption = extras.encryption else { return playlist }
        var playlist = playlist
        playlist.encryption = encryption.segmentEncryption(of: folder)
        // A range of what is encrypted cannot be decrypted; single pictures are whole resources all the same.
        for index in playlist.segments.indices { playlist.segments[index].byteRange = nil }
        return playlist
    }

    /// Encrypts a resource of a folder piece by piece; `nil` for a title in the clear.
    func chain(of folder: String) -> BlockChain? {
        extras.encryption.map { BlockChain(key: $0.key, vector: $0.key.vector(of: folder)) }
    }

    /// A resource as it is delivered.
    func sealed(_ resource: consuming ByteBuffer, of folder: String) throws -> ByteBuffer {
        guard let key = extras.encryption?.key else { return resource }
        return try key.encrypt(resource, of: folder)
    }
}

/// Titles that are being watched, so that a segment needs no trip to the catalogue: for a few seconds each, after
/// which a replaced or deleted title is noticed.
final class PublishedTitleCache: Sendable {
    private struct Entry {
        var title: PublishedTitle
        var expires: NIODeadline
    }

    private let entries = Mutex([TitleAddress: Entry]())

    static let lifetime = TimeAmount.seconds(2)
    static let maximumCount = 1_000

    func title(at address: TitleAddress, now: NIODeadline) -> PublishedTitle? {
        entries.withLock { entries in
            guard let entry = entries[address], now < entry.expires else { return nil }
            return entry.title
        }
    }

    /// The same title as before keeps what has been rendered of it.
    func store(
        _ title: PackagedTitle, revision: String, extras: TitleExtras = TitleExtras(), at address: TitleAddress,
        now: NIODeadline
    ) -> PublishedTitle {
        entries.withLock { entries in
            let known = entries[address].map(\.title)
            let published =
                known.flatMap { $0.title === title && $0.revision == revision && $0.extras == extras ? $0 : nil }
                ?? PublishedTitle(title: title, revision: revision, extras: extras)
            entries[address] = Entry(title: published, expires: now + Self.lifetime)
            // Two lifetimes: what expired a moment ago is likely to be asked for again.
            entries = entries.filter { $0.value.expires + Self.lifetime > now }
            if entries.count > Self.maximumCount {
                entries = [address: Entry(title: published, expires: now + Self.lifetime)]
            }
            return published
        }
    }
}
