import SiteTexts

/// The texts of a referee's pages: their sections, the end of a match, refusals and races.
struct MatchTabletText: SiteTextSection {
    static let section = "matchTablet"

    let strategy: String
    // A race, and what the server refuses.
    let raceTheirs, raceOwn, raceEnter, raceLeaveOut, full, noChannel, notValid: String
    // The end of a match.
    let sound, resultSaved, resultKept, withoutResult, toMenu, stay: String
    /// The names of events by their types.
    let events: [String: String]

    /// The words that the scripts of a referee's page show.
    var words: [(String, String)] {
        [("resultSaved", resultSaved), ("resultKept", resultKept), ("withoutResult", withoutResult)]
    }

    /// The words of the scripts for refusals of the server.
    var refusals: [(String, String)] { [("full", full), ("noChannel", noChannel), ("notValid", notValid)] }
}
