import Accounts
import Foundation
import HTTPEndpoints
import MediaCore
import OfflineCopyFormat
import SiteTexts
import VideoClub

/// The texts of the pages on which titles are rented.
struct ClubText: SiteTextSection {
    static let section = "club"

    let rent, rentNow, rented, notEnough, price, free, perRental, balance, myCredits, myTitles, noTitles,
        noMovements: String
    let continueAt, close, rentFor, fromFirstPlay, youHave, youNeed, timeRemains: String
    let activate, activateText, activated, watch, watchUntil, over, startBefore, logIn: String
    let vote, rating, votes, noVotes, voted, alreadyVoted, notARenter, yourRating, trailer, noTrailer, back,
        more: String
    let terms, termsText, save, saved, changedMeanwhile, wrong, asksForFreeRental, yes, no: String
    let minutesToStart, minutesToPlay, trailerField: String
    let ending, endingText, until, asTable: String
    let timeLeft, confirm, confirmText, balanceAfter, share, copied: String
    let unit: String
    /// A number of credits with its unit.
    let credits: PluralText
    /// The notice for a rental with which no further device can watch.
    let tooManyDevices: PluralText
    let regularPrice, featured, usually: String
    let getCredits, buyCredits: String
    let offline, notOffline, renditionList, audio, howToDownload: String
    let copyStates: NamedTexts<CopyDownloadState>
    let states: NamedTexts<RentalState>
    let reasons: NamedTexts<CreditReason>
    let notDone: String
    let language: SiteLanguage

    /// An average vote, with the decimal sign of the language.
    func decimal(_ average: Double) -> String { "\(average)".replacing(".", with: language.decimalSeparator) }

    /// The price of a title.
    func price(_ price: Int64) -> String { price > 0 ? credits(price) : free }

    /// The notice that no further device can watch with a rental; `nil` if one can.
    func placesTaken(of rental: OpaqueID, in club: VideoClub) -> String? {
        let count = club.players.count(of: rental.text)
        guard count >= club.settings.playersPerRental else { return nil }
        return tooManyDevices(count)
    }

    /// The offline copies of a rental, by device.
    func copies(_ copies: [CopyOnDevice]) -> String {
        let devices = copies.map { "\($0.deviceName) (\($0.rendition), \(copyStates[$0.state] ?? ""))" }
        return "\(offline): \(devices.isEmpty ? notOffline : devices.joined(separator: ", "))"
    }

    /// The renditions that can be downloaded, with their sizes.
    func renditions(_ list: [CopyRendition]) -> String {
        let parts = list.map { rendition in
            let size = CopySize.text(rendition.byteCount, separator: language.decimalSeparator)
            guard let width = rendition.width, let height = rendition.height else {
                return "\(rendition.name) (\(audio), \(size))"
            }
            return "\(rendition.name) (\(width) × \(height), \(size))"
        }
        return "\(renditionList): \(parts.joined(separator: ", "))"
    }

    /// A duration in hours and minutes.
    func duration(_ duration: Duration) -> String {
        let minutes = Int64(max(0, duration.seconds)) / 60
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return switch (hours, rest) {
        case (0, _): "\(rest) min"
        case (_, 0): "\(hours) h"
        default: "\(hours) h \(rest) min"
        }
    }

    /// A point in time as people of the language write it.
    func time(_ time: WallClockTime) -> PageText { PageText(time, locale: language.locale) }

    /// A time for programs, as in RFC 3339.
    func timestamp(_ time: WallClockTime) -> String { Date(time).formatted(.iso8601) }
}
