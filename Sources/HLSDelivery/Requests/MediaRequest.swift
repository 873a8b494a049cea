import LiveChannels
import MediaCore
import Packaging

/// A request for media or a playlist, which the delivery handler answers; all other paths belong to the router.
///
/// All that it consists of is checked text (`MediaName`, `MediaFileName`) and numbers, so two requests are for the same
/// exactly if they are equal, and ``canonicalPath`` has one spelling for each.
struct MediaRequest: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        /// A channel's name without `.stream`.
        case channel(MediaName)
        case title(TitleAddress)

        init(_ subject: MediaSubject) {
            switch subject {
            case .channel(let name): self = .channel(name)
            case .title(let id): self = .title(.title(id: id))
            case .titleFile(let name): self = .title(.titleFile(name: name))
            case .track(let id): self = .title(.track(id: id))
            }
        }

        /// The same channel, title or track for the rules of permission.
        var subject: MediaSubject {
            switch self {
            case .channel(let name): .channel(name)
            case .title(.title(let id)): .title(id: id)
            case .title(.titleFile(let name)): .titleFile(name: name)
            case .title(.track(let id)): .track(id: id)
            }
        }
    }

    enum Resource: Hashable, Sendable {
        /// A playlist's name without `.m3u8`: `playlist` or a rendition.
        case playlist(MediaName)
        /// The manifest of DASH.
        case manifest
        /// The difference between a manifest of a channel and the current one.
        case manifestPatch
        /// An initialization section.
        ///
        /// - Parameters:
        ///   - version: a channel's epoch, or a title's revision.
        ///   - number: the number for a channel; `nil` for a title, which has one per rendition.
        case initializationSection(version: MediaName, rendition: MediaName, number: Int?)
        case segment(version: MediaName, rendition: MediaName, number: Int)
        /// A partial segment of a channel.
        case part(epoch: MediaName, rendition: MediaName, number: Int, index: Int)
        /// A segment as MPEG-TS.
        ///
        /// - Parameter epoch: a channel's epoch, or a title's revision.
        case transportStreamSegment(epoch: MediaName, number: Int)
        /// A segment of one rendition of a title's ladder as MPEG-TS.
        case titleTransportStreamSegment(version: MediaName, name: MediaName, number: Int)
        /// A segment of a title's subtitles.
        case subtitleSegment(version: MediaName, rendition: MediaName, number: Int)
        /// A complete subtitle track of a title, for browsers.
        case subtitles(name: MediaName)
        /// A title's chapters, in JSON.
        case chapters
        /// A title's key.
        case key
        /// A title's license, which is asked for with POST.
        case license
        /// A track's original file.
        case file
    }

    var source: Source
    var resource: Resource
    /// The text between `/signed/` and the rest of the path, which gives access to what is not for everyone; `nil` for
    /// a path without it.
    var signature: String?

    var subject: MediaSubject { source.subject }

    /// Whether it lists media: a playlist, a manifest or a difference between two.
    var isPlaylist: Bool {
        switch resource {
        case .playlist, .manifest, .manifestPatch: true
        default: false
        }
    }
    /// Whether it belongs to video and audio, and not to subtitles or chapters.
    var isOfMedia: Bool {
        switch resource {
        case .subtitleSegment, .subtitles, .chapters: false
        default: true
        }
    }
    /// The name of the playlist; `nil` for what is none.
    var playlistName: String? {
        switch resource {
        case .playlist(let name): name.text
        case .manifest, .manifestPatch: LiveWindow.manifestName
        default: nil
        }
    }
    /// The last component of a manifest's path.
    static let manifestFileName = "\(LiveWindow.manifestName).mpd"
    /// Whether somebody may be given the path to begin with.
    var isEntry: Bool { isPlaylist && resource != .manifestPatch || resource == .file }
    var directives: DeliveryDirectives

    /// Limit of the path; longer paths are passed to the router.
    static let maximumPathByteCount = 2_048

    /// - Parameter target: an origin-form request target (RFC 9112 §3.2.1).
    init?(target: String) {
        guard target.utf8.count <= Self.maximumPathByteCount else { return nil }
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        guard let path = MediaPath(target[..<end]) else { return nil }
        var components = path.components[...]
        guard components.count >= 3, let application = components.popFirst(),
            let (resource, consumed) = Self.resource(at: components)
        else { return nil }
        components.removeLast(consumed)
        guard let subject = MediaSubject(application: application, components) else { return nil }
        source = Source(subject)
        switch resource {
        case .file: guard application == "radio" else { return nil }
        case .part, .manifestPatch: guard application == "live" else { return nil }
        case .titleTransportStreamSegment, .subtitleSegment, .subtitles, .chapters, .key, .license:
            guard application != "live" else { return nil }
        default: break
        }
        self.resource = resource
        signature = path.signature.map { String($0) }
        directives = DeliveryDirectives(query: target[end...].dropFirst())
        // Playlists are cached only briefly, so "//live", which some clients produce, is tolerated for them.
        if isPlaylist { return }
        guard !path.hasEmptyComponent else { return nil }
    }

    /// The resource named by the last components, and the number of those components.
    private static func resource(at components: ArraySlice<Substring>) -> (Resource, Int)? {
        guard let last = components.last, components.count >= 2 else { return nil }
        let bytes = last.utf8
        if bytes.hasSuffix(".m3u8") {
            // No playlist has the name of the manifest.
            return MediaName(Substring(bytes.dropLast(5))).flatMap {
                $0.text == LiveWindow.manifestName ? nil : (.playlist($0), 1)
            }
        }
        if last == Self.manifestFileName { return (.manifest, 1) }
        if last == LiveWindow.patchFileName { return (.manifestPatch, 1) }
        if last == "file" { return (.file, 1) }
        if last == TitleChapters.fileName { return (.chapters, 1) }
        if last == TitleEncryption.keyName { return (.key, 1) }
        if last == TitleEncryption.licenseName { return (.license, 1) }
        if bytes.starts(with: SubtitleRenditions.groupID.utf8), bytes.hasSuffix(".vtt") {
            return MediaName(Substring(bytes.dropLast(4))).map { (.subtitles(name: $0), 1) }
        }
        guard components.count >= 4, let rendition = MediaName(components[components.endIndex - 2]),
            let version = MediaName(components[components.endIndex - 3])
        else { return nil }
        return piece(named: bytes, of: rendition, version: version).map { ($0, 3) }
    }

    /// A piece of a rendition.
    private static func piece(
        named name: Substring.UTF8View, of rendition: MediaName, version: MediaName
    ) -> Resource? {
        if name.hasSuffix(".m4s") {
            let numbers = name.dropLast(4).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard let number = Int(canonicalDigits: numbers[0]) else { return nil }
            guard numbers.count > 1 else { return .segment(version: version, rendition: rendition, number: number) }
            guard numbers.count == 2, let index = Int(canonicalDigits: numbers[1]) else { return nil }
            return .part(epoch: version, rendition: rendition, number: number, index: index)
        }
        if name.hasSuffix(".ts") {
            guard let number = Int(canonicalDigits: name.dropLast(3)) else { return nil }
            if rendition.text == LiveWindow.transportStreamName {
                return .transportStreamSegment(epoch: version, number: number)
            }
            guard PackagedTitle.isTransportStreamName(rendition.text) else { return nil }
            return .titleTransportStreamSegment(version: version, name: rendition, number: number)
        }
        if name.hasSuffix(".vtt") {
            return Int(canonicalDigits: name.dropLast(4)).map {
                .subtitleSegment(version: version, rendition: rendition, number: $0)
            }
        }
        guard name.starts(with: "init".utf8), name.hasSuffix(".mp4") else { return nil }
        let middle = name.dropFirst(4).dropLast(4)
        if middle.isEmpty { return .initializationSection(version: version, rendition: rendition, number: nil) }
        guard middle.first == UInt8(ascii: "-"), let number = Int(canonicalDigits: middle.dropFirst()) else {
            return nil
        }
        return .initializationSection(version: version, rendition: rendition, number: number)
    }
}

extension FixedWidthInteger {
    /// Parses a number without leading zeros. `007` would be another URL for the same resource, and caches would keep
    /// each of them.
    fileprivate init?(canonicalDigits digits: Substring.UTF8View) {
        guard digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        self.init(digits: Substring(digits))
    }
}

extension Substring.UTF8View {
    /// Compared as bytes, because characters hide what a combining mark follows.
    fileprivate func hasSuffix(_ text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return suffix(text.utf8CodeUnitCount)
            .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
