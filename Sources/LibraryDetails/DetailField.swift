/// A detail of a title or track besides its media. The raw values are the names in the API.
package enum DetailField: String, Sendable, Hashable, CaseIterable {
    case title, description, year, genres, website
    /// The people who act in it, the best known first.
    case cast
    /// For whom it is suitable, as the authority of a country says it: `12`, `PG-13`.
    case ageRating
    /// The series of an episode, its season, and its number in the season.
    case series, season, episode
    case artist, album, trackNumber

    /// The kind of value that a field has.
    package enum Kind: Sendable, Hashable {
        /// One line of text.
        case line
        /// Text with line breaks.
        case text
        case number
        /// Several lines, none of them twice.
        case lines
        /// An absolute http or https address.
        case address
    }

    package var kind: Kind {
        switch self {
        case .title, .series, .artist, .album, .ageRating: .line
        case .description: .text
        case .year, .season, .episode, .trackNumber: .number
        case .genres, .cast: .lines
        case .website: .address
        }
    }

    /// The fields of titles.
    package static let ofTitles: [DetailField] = [
        .title, .description, .year, .genres, .cast, .ageRating, .website, .series, .season, .episode, .artist, .album,
    ]
    /// The fields of tracks.
    package static let ofTracks: [DetailField] = [
        .title, .artist, .album, .trackNumber, .year, .genres, .description, .website,
    ]

    /// Limits in characters.
    package static let maximumLineLength = 300
    package static let maximumTextLength = 10_000
    package static let maximumAddressLength = 2_048
    package static let maximumAgeRatingLength = 32
    package static let maximumEntryLength = 64
    /// Limit of the genres of a title or track.
    package static let maximumGenreCount = 20
    /// Limit of the people of a title.
    package static let maximumCastCount = 50

    /// Limit of the entries of a list.
    package var maximumEntryCount: Int { self == .cast ? Self.maximumCastCount : Self.maximumGenreCount }

    /// The numbers that the field may have.
    package var numbers: ClosedRange<Int> {
        switch self {
        case .year: 1...9_999
        case .season: 0...9_999
        case .episode: 0...99_999
        default: 1...99_999
        }
    }
}
