import MediaCore
import NIOCore
import Packaging

/// A resource of a title that is read from its file when it is asked for.
enum TitlePiece: Sendable {
    case segment(PackagedRendition, number: Int)
    /// - Parameter folder: in URLs.
    case iFrame(PackagedRendition, folder: String, number: Int)

    /// In URLs.
    var folder: String {
        switch self {
        case .segment(let rendition, _): rendition.name
        case .iFrame(_, let folder, _): folder
        }
    }

    /// Whose initialization section it goes with.
    var sealedAs: String {
        switch self {
        case .segment(let rendition, _): rendition.name
        case .iFrame(let video, _, _): video.name
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

    /// The resource as it lies in the title's file.
    func media(of title: PackagedTitle) -> StoredMedia? {
        switch self {
        case .segment(let rendition, let number): title.storedSegment(number, of: rendition)
        case .iFrame(let video, _, let number): title.storedIFrame(number, of: video)
        }
    }
}

extension PublishedTitle {
    /// Strong, with quotation marks.
    func etag(of piece: TitlePiece) -> String { "\"\(revision)-\(piece.folder)-\(piece.number)\"" }

    /// `nil` where there is none, or not in this version of the title.
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
