package import Catalogue
package import LibraryCore

/// The record of a file that has been taken into the library.
package enum IngestedItem: Sendable {
    case title(TitleRecord)
    case track(AudioTrackRecord)
}

extension IngestedItem {
    package var section: LibrarySection {
        switch self {
        case .title: .titles
        case .track: .tracks
        }
    }

    package var id: String {
        switch self {
        case .title(let title): title.id
        case .track(let track): track.id
        }
    }
}
