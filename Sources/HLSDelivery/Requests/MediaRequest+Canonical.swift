import LiveChannels
import MediaCore
import Packaging

/// The one spelling of each address. It is made from what was understood, not from what was requested, so a cache that
/// keeps answers under it cannot mix two things up.
extension MediaRequest {
    /// The folder that holds all of the channel, title or track.
    var folder: String { subject.folder }

    /// The path without a signature.
    var canonicalPath: String { "\(folder)/\(canonicalName)" }

    /// The path below the folder.
    private var canonicalName: String {
        switch resource {
        case .playlist(let name): "\(name).m3u8"
        case .manifest: Self.manifestFileName
        case .manifestPatch: LiveWindow.patchFileName
        case .initializationSection(let version, let rendition, nil): "\(version)/\(rendition)/init.mp4"
        case .initializationSection(let version, let rendition, let number?):
            "\(version)/\(rendition)/init-\(number).mp4"
        case .segment(let version, let rendition, let number): "\(version)/\(rendition)/\(number).m4s"
        case .part(let epoch, let rendition, let number, let index): "\(epoch)/\(rendition)/\(number).\(index).m4s"
        case .transportStreamSegment(let epoch, let number): "\(epoch)/\(LiveWindow.transportStreamName)/\(number).ts"
        case .titleTransportStreamSegment(let version, let name, let number): "\(version)/\(name)/\(number).ts"
        case .subtitleSegment(let version, let rendition, let number): "\(version)/\(rendition)/\(number).vtt"
        case .subtitles(let name): "\(name).vtt"
        case .chapters: TitleChapters.fileName
        case .key: TitleEncryption.keyName
        case .license: TitleEncryption.licenseName
        case .file: "file"
        }
    }

    /// The path and the parameters on which the answer depends. Credentials are not among them: what they open is
    /// decided for each request. A signed path is told apart from the other, because its playlists lead elsewhere.
    ///
    /// Only meaningful if ``DeliveryDirectives/conflict`` is `nil`.
    var canonicalAddress: String {
        let prefix = signature == nil ? "" : "/\(MediaPath.signedFolderName)"
        guard isPlaylist else { return prefix + canonicalPath }
        let query = directives.canonicalQuery(forChannel: isOfChannel)
        return "\(prefix)\(canonicalPath)\(query.isEmpty ? "" : "?\(query)")"
    }

    private var isOfChannel: Bool { if case .channel = source { true } else { false } }
}
