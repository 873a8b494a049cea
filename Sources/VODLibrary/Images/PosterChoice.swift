package import Catalogue

/// The image that is used as a title's poster.
package enum PosterChoice: Sendable, Equatable {
    /// The best of several frames.
    case automatic
    /// The frame at that time, in seconds.
    case time(Double)
    /// An image beside the title's file.
    case beside(PosterFile)
    /// An image that an operator uploaded; `path` is the JPEG made from it.
    case uploaded(path: String)
}

extension TitleRecord {
    /// The operator's choice, then the image beside the file. A time is not always possible: a replaced file may be
    /// shorter than the chosen time.
    var posterChoice: PosterChoice {
        if let uploadedPoster { return .uploaded(path: uploadedPoster) }
        if let posterTime, posterTime <= duration ?? .infinity { return .time(posterTime) }
        return posterFile.map(PosterChoice.beside) ?? .automatic
    }

    /// The path of the chosen poster.
    func posterPath(in derived: DerivedFiles) -> String {
        switch posterChoice {
        case .automatic: derived.path(.posters, id: id, revision: revision, ending: ".jpg")
        case .time(let seconds):
            derived.path(
                .posters, id: id, revision: revision, ending: "-at-\(Int64(min(seconds, 1e9) * 1_000)).jpg")
        case .beside(let file):
            derived.path(.posters, id: id, revision: revision, ending: "-beside-\(file.revision).jpg")
        case .uploaded(let path): path
        }
    }

    /// Returns whether the title needs a poster: it has none, or not the chosen one.
    func needsPoster(in derived: DerivedFiles) -> Bool {
        state == .ready && videoCodec != nil && poster != posterPath(in: derived)
    }
}
