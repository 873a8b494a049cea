import MediaCore
package import Scoreboard
package import SiteTexts

/// The texts of results on pages, in documents and in mails.
package struct ResultText: SiteTextSection {
    package static let section = "scoreboard"

    package let language: SiteLanguage
    // Columns of tables.
    package let resultDate, resultWinner, resultLoser, resultScore, resultTime, resultCompetition: String
    // Documents and mails.
    private let resultMinutes, resultPage, resultAll, resultOfCompetition, resultOfPlayer, resultOfChannel: String
    private let resultFrom, resultUntil: String
    private let resultSelected, resultOlder, resultMailText: PluralText
    package let resultMailSubject: String
    // Pages.
    package let resultHeading, resultOne, resultNone, resultAllMatches, resultPlayer, resultFilter, resultClear: String
    package let resultPDF, resultCSV, resultPrint, resultShare, resultCopied, resultMenu, resultChoose: String
    package let resultFirst, resultLast: String
    package let resultMail, resultMailAddresses, resultMailSend, resultMailWrong, resultMailTooMany: String
    package let resultMailLarge, resultMailFailed: String
    package let resultMailSent: PluralText
    // Statistics.
    package let resultStatHeading, resultStatMatches, resultStatWon, resultStatLost, resultStatDrawn: String
    package let resultStatGames, resultStatPoints, resultStatRules, resultStatAll, resultStatRival: String
    package let resultStatCompare, resultStatNobody: String
    private let resultStatAgainst: String

    package func against(_ name: String) -> String { resultStatAgainst.filled("name", with: name) }

    package func minutes(_ match: MatchSummary) -> String {
        match.minutes.map { resultMinutes.filled("count", with: "\($0)") } ?? ""
    }

    /// The words at the foot of a page of a document, with places for its number and the number of all.
    var pageLabel: String { resultPage }

    func older(_ count: Int) -> String { resultOlder(count) }

    package func mailText(_ count: Int, sender: String, site: String) -> String {
        resultMailText(count, ["name": sender, "site": site])
    }

    /// The filter of a list in lines.
    ///
    /// - Parameters:
    ///   - filter: the filter.
    ///   - player: the name of its player.
    ///   - channel: the title of its channel.
    package func lines(_ filter: MatchFilter, player: String?, channel: String?) -> [String] {
        var lines: [String] = []
        if let competition = filter.competition { lines.append(resultOfCompetition.filled("name", with: competition)) }
        if let player { lines.append(resultOfPlayer.filled("name", with: player)) }
        if let channel { lines.append(resultOfChannel.filled("name", with: channel)) }
        if let from = filter.from { lines.append(resultFrom.filled("date", with: "\(from)")) }
        if let until = filter.until { lines.append(resultUntil.filled("date", with: "\(until)")) }
        if let ids = filter.ids { lines.append(resultSelected(ids.count)) }
        return lines.isEmpty ? [resultAll] : lines
    }
}
