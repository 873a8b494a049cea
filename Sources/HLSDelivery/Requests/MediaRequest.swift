import LiveChannels
import MediaCore
import Packaging

/// A request for media or a playlist, which the delivery handler answers; all other paths belong to the router.
struct MediaRequest: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        /// A channel's name without `.stream`.
        case channel(String)
        case title(TitleAddress)
    }

    enum Resource: Hashable, Sendable {
        /// A playlist's name without `.m3u8`: `playlist` or a rendition.
        case playlist(String)
        /// An initialization section.
        ///
        /// - Parameters:
        ///   - version: a channel's epoch, or a title's revision.
        ///   - number: the number for a channel; `nil` for a title, which has one per rendition.
        case initializationSection(version: String, rendition: String, number: Int?)
        case segment(version: String, rendition: String, number: Int)
        /// A partial segment of a channel.
        case part(LivePartAddress)
        /// A segment as MPEG-TS.
        ///
        /// - Parameter epoch: a channel's epoch, or a title's revision.
        case transportStreamSegment(epoch: String, number: Int)
        /// A segment of one rendition of a title's ladder as MPEG-TS.
        case titleTransportStreamSegment(version: String, name: String, number: Int)
        /// A segment of a title's subtitles.
        case subtitleSegment(version: String, rendition: String, number: Int)
        /// A complete subtitle track of a title, for browsers.
        case subtitles(name: String)
        /// A title's chapters, in JSON.
        case chapters
        /// A title's key.
        case key
        /// A track's original file.
        case file
    }

    var source: Source
    var resource: Resource
    /// The text between `/signed/` and the rest of the path, which gives access to what is not for everyone; `nil` for
    /// a path without it.
    var signature: String?

    var isPlaylist: Bool { if case .playlist = resource { true } else { false } }
    /// Whether somebody may be given the path to begin with.
    var isEntry: Bool { isPlaylist || resource == .file }
    var directives: DeliveryDirectives

    /// Limit of the path; longer paths are passed to the router.
    static let maximumPathByteCount = 2_048
    /// The first component of paths that have a signature as the second.
    package static let signedFolderName = "signed"
    private static let signedPrefix = "/\(signedFolderName)/"

    /// - Parameter target: an origin-form request target (RFC 9112 §3.2.1).
    init?(target: String) {
        guard target.utf8.count <= Self.maximumPathByteCount else { return nil }
        var path = target.prefix { $0 != "?" }
        let query = target[path.endIndex...].dropFirst()
        if path.hasPrefix(Self.signedPrefix) {
            let rest = path.dropFirst(Self.signedPrefix.count)
            guard let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            signature = String(rest[..<slash])
            path = rest[slash...]
        }
        directives = DeliveryDirectives(query: query)
        var components = path.pathComponents
        guard components.count >= 3, path.utf8.first == UInt8(ascii: "/") else { return nil }
        let application = components.removeFirst()
        guard let (resource, consumed) = Self.resource(at: components) else { return nil }
        components.removeLast(consumed)
        switch application {
        case "live":
            guard components.count == 1, components[0].hasSuffix(".stream") else { return nil }
            source = .channel(String(components[0].dropLast(".stream".count)))
        case "vod":
            // Wowza's name for the default application instance.
            if components.first == "_definst_" { components.removeFirst() }
            guard let address = Self.titleAddress(components) else { return nil }
            source = .title(address)
        case "radio":
            guard components.count == 1 else { return nil }
            source = .title(.track(id: String(components[0])))
        default: return nil
        }
        switch resource {
        case .file: guard application == "radio" else { return nil }
        case .part: guard application == "live" else { return nil }
        case .titleTransportStreamSegment, .subtitleSegment, .subtitles, .chapters, .key:
            guard application != "live" else { return nil }
        default: break
        }
        self.resource = resource
        // Playlists are cached only briefly, so "//live", which some clients produce, is tolerated for them.
        if case .playlist = resource { return }
        guard !path.hasEmptyComponent else { return nil }
    }

    /// The resource named by the last components, and the number of those components.
    private static func resource(at components: [Substring]) -> (Resource, Int)? {
        guard let last = components.last, components.count >= 2 else { return nil }
        if last.hasSuffix(".m3u8") { return (.playlist(String(last.dropLast(5))), 1) }
        if last == "file" { return (.file, 1) }
        if last == TitleChapters.fileName { return (.chapters, 1) }
        if last == TitleEncryption.keyName { return (.key, 1) }
        if last.hasPrefix(SubtitleRenditions.groupID), last.hasSuffix(".vtt") {
            return (.subtitles(name: String(last.dropLast(".vtt".count))), 1)
        }
        guard components.count >= 4 else { return nil }
        let rendition = String(components[components.count - 2])
        let version = String(components[components.count - 3])
        if last.hasSuffix(".m4s") {
            let numbers = last.dropLast(4).split(separator: ".", omittingEmptySubsequences: false)
            guard let number = Int(canonicalDigits: numbers[0]) else { return nil }
            guard numbers.count > 1 else {
                return (.segment(version: version, rendition: rendition, number: number), 3)
            }
            guard numbers.count == 2, let index = Int(canonicalDigits: numbers[1]) else { return nil }
            let address = LivePartAddress(rendition: rendition, epoch: version, mediaSequence: number, index: index)
            return (.part(address), 3)
        }
        if last.hasSuffix(".ts"), rendition == LiveWindow.transportStreamName {
            return Int(canonicalDigits: last.dropLast(3)).map {
                (.transportStreamSegment(epoch: version, number: $0), 3)
            }
        }
        if last.hasSuffix(".ts"), PackagedTitle.isTransportStreamName(rendition) {
            return Int(canonicalDigits: last.dropLast(3)).map {
                (.titleTransportStreamSegment(version: version, name: rendition, number: $0), 3)
            }
        }
        if last.hasSuffix(".vtt") {
            return Int(canonicalDigits: last.dropLast(4)).map {
                (.subtitleSegment(version: version, rendition: rendition, number: $0), 3)
            }
        }
        if last.hasPrefix("init"), last.hasSuffix(".mp4") {
            let middle = last.dropFirst(4).dropLast(4)
            if middle.isEmpty {
                return (.initializationSection(version: version, rendition: rendition, number: nil), 3)
            }
            guard middle.first == "-", let number = Int(canonicalDigits: middle.dropFirst()) else { return nil }
            return (.initializationSection(version: version, rendition: rendition, number: number), 3)
        }
        return nil
    }

    /// Parses `{id}`, or Wowza's `mp4:{file}`, where the file may be in a folder.
    private static func titleAddress(_ components: [Substring]) -> TitleAddress? {
        guard let name = components.joined(separator: "/")[...].removingPercentEncoding, !name.isEmpty else {
            return nil
        }
        // Scripts that escape each component write the colon as %3A.
        guard name.hasPrefix("mp4:") else { return components.count == 1 ? .title(id: name) : nil }
        let file = name.dropFirst(4)
        // Compared as bytes, because a combining mark would hide a slash from a comparison of characters.
        let folders = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !folders.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }),
            !file.utf8.contains(0)
        else {
            return nil
        }
        return .titleFile(name: String(file))
    }
}

extension FixedWidthInteger {
    /// Parses a number without leading zeros. `007` would be another URL for the same resource, and caches would keep
    /// each of them.
    fileprivate init?(canonicalDigits digits: Substring) {
        guard digits.utf8.first != UInt8(ascii: "0") || digits.utf8.count == 1 else { return nil }
        self.init(digits: digits)
    }
}

extension Substring {
    /// The parts between the slashes, without empty ones. Bytes are compared, because characters hide a slash that is
    /// followed by a combining mark.
    fileprivate var pathComponents: [Substring] {
        utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// True if the path contains two consecutive slashes, or ends with one.
    fileprivate var hasEmptyComponent: Bool {
        var wasSlash = false
        for byte in utf8 {
            let isSlash = byte == UInt8(ascii: "/")
            if isSlash, wasSlash { return true }
            wasSlash = isSlash
        }
        return wasSlash
    }
}
