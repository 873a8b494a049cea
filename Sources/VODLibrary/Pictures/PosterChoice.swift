import Catalogue

/// Which picture a title's poster is.
package enum PosterChoice: Sendable, Equatable {
    /// The best of some.
    case automatic
    /// The one that is shown at that time, in seconds.
    case moment(Double)
    /// One that an operator has sent: the JPEG that was made of it.
    case uploaded(path: String)
}

extension TitleRecord {
    /// As an operator wants it, where that is possible: another file may be shorter.
    var posterChoice: PosterChoice {
        if let uploadedPoster { return .uploaded(path: uploadedPoster) }
        guard let posterTime, posterTime <= duration ?? .infinity else { return .automatic }
        return .moment(posterTime)
    }

    /// Where the poster is as it is wanted.
    func posterPath(in derived: DerivedFiles) -> String {
        switch posterChoice {
        case .automatic: derived.path(.posters, id: id, revision: revision, ending: ".jpg")
        case .moment(let seconds):
            derived.path(
                .posters, id: id, revision: revision, ending: "-at-\(Int64(min(seconds, 1e9) * 1_000)).jpg")
        case .uploaded(let path): path
        }
    }

    /// Whether there is none, or another one than the one that is wanted.
    func needsPoster(in derived: DerivedFiles) -> Bool {
        state == .ready && videoCodec != nil && poster != posterPath(in: derived)
    }
}
