import MediaCore
import NIOCore
import Packaging

/// A resource of a title that is read from its file on request.
enum TitlePiece: Sendable {
    case segment(PackagedRendition, number: Int)
    /// An I-frame.
    ///
    /// - Parameter folder: the folder in URLs.
    case iFrame(PackagedRendition, folder: String, number: Int)

    /// The folder in URLs.
    var folder: String {
        switch self {
        case .segment(let rendition, _): rendition.name
        case .iFrame(_, let folder, _): folder
        }
    }

    /// The rendition whose initialization section belongs to the piece.
    var sealedAs: String {
        switch self {
        case .segment(let rendition, _): rendition.name
        case .iFrame(let video, _, _): video.name
        }
    }

    /// The rendition whose samples the piece has.
    var rendition: PackagedRendition {
        switch self {
        case .segment(let rendition, _): rendition
        case .iFrame(let video, _, _): video
        }
    }

    var number: Int {
        switch self {
        case .segment(_, let number), .iFrame(_, _, let number): number
        }
    }

    var isAudio: Bool {
        if case .segment(let rendition, _) = self { rendition.track.mediaType == .audio } else { false }
    }

    /// The location of the resource in the title's file; `nil` if there is no such resource.
    func media(of title: PackagedTitle) -> StoredMedia? {
        switch self {
        case .segment(let rendition, let number): title.storedSegment(number, of: rendition)
        case .iFrame(let video, _, let number): title.storedIFrame(number, of: video)
        }
    }

    /// The resource with encrypted samples; blocks. `nil` if there is no such resource.
    func protected(of title: PackagedTitle, by cipher: SampleCipher) throws -> ByteBuffer? {
        switch self {
        case .segment(let rendition, let number):
            try title.protectedSegment(number, of: rendition) { try cipher.encrypt(&$0, $1) }
        case .iFrame(let video, _, let number):
            try title.protectedIFrame(number, of: video) { try cipher.encrypt(&$0, $1) }
        }
    }
}

extension PublishedTitle {
    /// The strong entity tag of a piece, with quotation marks.
    func etag(of piece: TitlePiece) -> String { "\"\(revision)-\(piece.folder)-\(piece.number)\"" }

    /// The piece at an address; `nil` if there is none, or not in this version of the title.
    func piece(version: String, folder: String, number: Int) -> TitlePiece? {
        guard version == revision else { return nil }
        if let rendition = title.rendition(named: folder[...]) {
            return rendition.segments.indices.contains(number) ? .segment(rendition, number: number) : nil
        }
        guard let video = title.video(withIFramesNamed: folder), title.iFrames(of: video).indices.contains(number)
        else {
            return nil
        }
        return .iFrame(video, folder: folder, number: number)
    }
}
