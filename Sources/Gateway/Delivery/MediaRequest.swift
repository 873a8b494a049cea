import LiveChannels
import MediaCore
import Packaging
import VODLibrary

/// A request path that the delivery handler knows: media and playlists. Everything else is the router's.
struct MediaRequest: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        /// Without `.stream`.
        case channel(String)
        case title(TitleAddress)
    }

    enum Resource: Hashable, Sendable {
        /// `playlist.m3u8`, or a rendition's: without the ending.
        case playlist(String)
        /// - Parameters:
        ///   - version: a channel's publishing epoch, or a title's revision.
        ///   - number: a channel's; `nil` for a title's, which is the only one.
        case initializationSection(version: String, rendition: String, number: Int?)
        case segment(version: String, rendition: String, number: Int)
        /// A Partial Segment of a channel.
        case part(LivePartAddress)
        /// A segment as MPEG-TS.
        ///
        /// - Parameter epoch: a title's revision.
        case transportStreamSegment(epoch: String, number: Int)
        /// A segment of one of a title's qualities as MPEG-TS.
        case titleTransportStreamSegment(version: String, name: String, number: Int)
        /// A segment of a title's subtitles.
        case subtitleSegment(version: String, rendition: String, number: Int)
        /// All of a title's subtitles in one language, for browsers.
        case subtitles(name: String)
        /// A title's chapters, in JSON.
        case chapters
        /// What a title is encrypted with.
        case key
        /// A track's file as it is.
        case file
    }

    var source: Source
    var resource: Resource
    var directives: DeliveryDirectives

    /// Longer paths are not media.
    static let maximumPathByteCount = 2_048

    /// - Parameter target: an origin-form request target (RFC 9112 §3.2.1).
    init?(target: String) {
        guard target.utf8.count <= Self.maximumPathByteCount else { return nil }
        let path = target.prefix { $0 != "?" }
        directives = DeliveryDirectives(query: target[path.endIndex...].dropFirst())
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
            // Wowza's default application instance.
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
        // Playlists are not kept for long; clients that join URLs carelessly write "//live".
        if case .playlist = resource { return }
        guard !path.hasEmptyComponent else { return nil }
    }

    /// What the last components name, and how many they are.
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

    /// `{id}`, or Wowza's `mp4:{file}`, in which the file may lie in a folder.
    private static func titleAddress(_ components: [Substring]) -> TitleAddress? {
        guard let name = components.joined(separator: "/")[...].removingPercentEncoding, !name.isEmpty else {
            return nil
        }
        // Scripts that escape each component write the colon as %3A.
        guard name.hasPrefix("mp4:") else { return components.count == 1 ? .title(id: name) : nil }
        let file = name.dropFirst(4)
        // By bytes: a combining mark hides a slash from a comparison of characters.
        let folders = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !folders.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }),
            !file.utf8.contains(0)
        else {
            return nil
        }
        return .titleFile(name: String(file))
    }
}

/// How a URL names a title or a track.
package enum TitleAddress: Hashable, Sendable {
    case title(id: String)
    /// Below the media folder.
    case titleFile(name: String)
    case track(id: String)
}

extension TitleAddress: CustomStringConvertible {
    /// As in "there is no title \"film\"".
    package var description: String {
        let (kind, name) =
            switch self {
            case .title(let id): ("title", id)
            case .titleFile(let name): ("title of the file", name)
            case .track(let id): ("track", id)
            }
        return "\(kind) \"\(UntrustedText.escaped(name, maximumCharacterCount: Self.maximumShownNameLength))\""
    }

    private static let maximumShownNameLength = 100
}

extension FixedWidthInteger {
    /// A number as playlists write it. `007` would be another URL of what `7` is, one of any number that caches would
    /// keep.
    fileprivate init?(canonicalDigits digits: Substring) {
        guard digits.utf8.first != UInt8(ascii: "0") || digits.utf8.count == 1 else { return nil }
        self.init(digits: digits)
    }
}

extension Substring {
    /// Whether two slashes follow each other, or one is the last byte.
    fileprivate var hasEmptyComponent: Bool {
        var wasSlash = false
        for byte in utf8 {
            let isSlash = byte == UInt8(ascii: "/")
            if isSlash, wasSlash { return true }
            wasSlash = isSlash
        }
        return wasSlash
    }

    /// RFC 3986 §2.1; `nil` for a malformed escape or bytes that are no UTF-8.
    var removingPercentEncoding: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = self.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
