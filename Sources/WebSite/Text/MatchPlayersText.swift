import MediaCore
import Scoreboard
import SiteTexts

/// The texts of the pages of players, and of the form with which a match is set up.
struct MatchPlayersText: SiteTextSection {
    static let section = "matchPlayers"

    // Lists and details.
    let players, add, importPlayers, searchLabel, search, empty, nothingFound, next, choose: String
    let firstName, lastName, gender, female, male, other, country, birthDate, extra, age, create, save, saved: String
    let edit, delete, deleteText, back: String
    /// The sentences about fields that are refused.
    let columns: NamedTexts<PlayerTable.Column>
    // Photos.
    let photo, photoText, choosePhoto, usePhoto, removePhoto, photoOf: String
    // Tables.
    let importText, chooseTable, trial, importButton, wrongTable, noTable, reportRead, reportAdded: String
    let reportWouldAdd, duplicates, problems, place, wrongRow, full: String
    // A new match.
    let cancel, preview, noPlayerYet, singlesText, doublesText, teamsText, playerA1, playerA2, playerB1: String
    let playerB2, drawNow, drawnA, drawnB, servesFirst, moreOptions: String
    // The part of a photo that is used.
    let useCamera, takePhoto, noCamera, zoom, cropArea: String

    /// The words of the script that shows the match while it is set up.
    var formWords: [(String, String)] {
        [
            ("noPlayerYet", noPlayerYet), ("age", age), ("female", female), ("male", male), ("other", other),
            ("drawnA", drawnA), ("drawnB", drawnB), ("servesFirst", servesFirst),
        ]
    }

    /// The words of the script that cuts a photo.
    var cropWords: [(String, String)] {
        [
            ("useCamera", useCamera), ("takePhoto", takePhoto), ("noCamera", noCamera), ("zoom", zoom),
            ("cropArea", cropArea), ("cancel", cancel),
        ]
    }

    func name(of gender: ScorePlayer.Gender) -> String {
        switch gender {
        case .female: female
        case .male: male
        case .other: other
        }
    }

    func description(of modality: MatchRules.Modality) -> String {
        switch modality {
        case .singles: singlesText
        case .doubles: doublesText
        case .teams: teamsText
        }
    }

    /// The sentence about a field that was refused; `nil` if the refusal is about none of a player's.
    func sentence(about refusal: Refusal) -> String? {
        refusal.fields.first.flatMap(PlayerTable.Column.init).flatMap { columns[$0] }
    }

    /// The name of a column of a table.
    func name(of column: PlayerTable.Column) -> String {
        switch column {
        case .firstName: firstName
        case .lastName: lastName
        case .gender: gender
        case .country: country
        case .birthDate: birthDate
        case .extra: extra
        }
    }

    /// The sentence about a problem of a table.
    func sentence(about problem: PlayerTable.Problem) -> String {
        problem.column.flatMap { columns[$0] } ?? wrongRow
    }
}
