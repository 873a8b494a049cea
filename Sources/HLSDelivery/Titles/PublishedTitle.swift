import DASHManifest
import HLSPlaylist
import ISOBMFF
import LiveChannels
import MediaCore
import NIOCore
import Packaging
import Synchronization

/// A title being delivered: the packaged title with its rendered playlists.
final class PublishedTitle: Sendable {
    let title: PackagedTitle
    let revision: String
    let extras: TitleExtras
    let subtitles: SubtitleRenditions
    /// The reason why the title cannot be encrypted as it should be, so that nothing of its media is sent; `nil` if
    /// there is none.
    let encryptionObstacle: String?
    private let rendered = Mutex([String: RenderedPlaylist]())

    init(title: PackagedTitle, revision: String, extras: TitleExtras = TitleExtras()) {
        self.title = title
        self.revision = revision
        self.extras = extras
        subtitles = SubtitleRenditions(extras.subtitles)
        encryptionObstacle = extras.encryption?.method == .cbcs ? title.sampleEncryptionObstacle : nil
    }

    /// Returns whether a request with these directives gets MPEG-TS.
    ///
    /// Titles whose resources are encrypted are delivered as MPEG-TS if it supports their codecs. Such fMP4 is legal
    /// (rfc8216bis §4.4.4.5), but of the tested players only those based on ffmpeg play it. Chromium 156 stalls if
    /// EXT-X-MAP is encrypted and reports "Unsupported crypto method" if it is not; GStreamer 1.22 fails or crashes in
    /// both cases; Debian's ffmpeg cannot write it ("Encrypted fmp4 not yet supported"). All of them play MPEG-TS.
    func isTransportStream(_ directives: DeliveryDirectives) -> Bool {
        if directives.form == .transportStream { return true }
        guard extras.encryption?.method == .aes128, !directives.wantsFragmentedMP4 else { return false }
        return title.transportStreamObstacle == nil
    }

    /// A playlist of the title, rendered once.
    ///
    /// - Parameters:
    ///   - name: `playlist` for the multivariant playlist, a rendition's name, or `LiveWindow.manifestName`.
    ///   - isTransportStream: true for players that do not support fMP4.
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
        case LiveWindow.manifestName:
            return { [title, subtitles, extras] in
                title.presentation(
                    pathPrefix: pathPrefix, subtitles: subtitles, thumbnails: extras.thumbnails,
                    protection: extras.encryption.map {
                        ContentProtection(
                            scheme: TrackEncryption.scheme.description, keyID: $0.key.commonID,
                            licenseAddress: $0.licenseAddress)
                    }
                ).rendered()
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

    /// The first component of the URLs of a subtitle rendition's segments.
    func subtitleVersion(_ member: SubtitleRenditions.Member) -> String { "\(revision)-\(member.track.revision)" }

    /// Adds the encryption to a playlist, if the title is encrypted.
    ///
    /// - Parameter folder: the rendition whose initialization section the playlist refers to; I-frame playlists use
    ///   that of the video.
    private func encrypted(_ playlist: MediaPlaylist, as folder: String) -> MediaPlaylist {
        guard let encryption = extras.encryption else { return playlist }
        var playlist = playlist
        playlist.encryption = encryption.segmentEncryption(of: folder)
        // A range of an encrypted resource cannot be decrypted; I-frames are separate resources anyway.
        for index in playlist.segments.indices { playlist.segments[index].byteRange = nil }
        return playlist
    }

    /// Encrypts a resource of a folder in pieces; `nil` if resources are not encrypted.
    func chain(of folder: String) -> BlockChain? {
        resourceKey.map { BlockChain(key: $0, vector: $0.vector(of: folder)) }
    }

    /// A resource in the form in which it is delivered: encrypted if the title's resources are encrypted.
    func sealed(_ resource: consuming ByteBuffer, of folder: String) throws -> ByteBuffer {
        guard let key = resourceKey else { return resource }
        return try key.encrypt(resource, of: folder)
    }

    private var resourceKey: TitleKey? {
        extras.encryption.flatMap { $0.method == .aes128 ? $0.key : nil }
    }

    /// The encryption of a rendition's samples; `nil` if they are not encrypted by themselves.
    func sampleEncryption(of rendition: PackagedRendition) -> TrackEncryption? {
        extras.encryption?.trackEncryption(of: rendition.name, isVideo: rendition.track.mediaType == .video)
    }

    /// The initialization section of a rendition in the form in which it is delivered.
    func initializationSection(of rendition: PackagedRendition) throws -> ByteBuffer {
        try sealed(
            rendition.initializationSection(encryption: sampleEncryption(of: rendition)), of: rendition.name)
    }
}
