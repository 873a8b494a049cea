import Catalogue
import HTTPEndpoints
import SiteTexts

/// The texts of the site in one language. Templates read the fields by name, as in `{{t.live}}`.
package struct SiteText: SiteTextSection {
    package static let section = "site"

    let language: String
    let continueWatching, timeLeft: String
    let onAirFor, subtitles, nowOn, nextOn, until, people, seen: String
    let licences, licencesText, usedSoftware, software, licence: String
    let installApp, moreLinks, darkTheme, lightTheme, newInClub, watchInApp, technical, similar, allTracks, channels,
        searchCommunity, allChannels, members, auditLog: String
    let overview, videoClub, videos, radio, live, community, about, skip, tagline: String
    let search, searchTitles, searchTracks, find, nothingFound, clear, more, first, seeAll: String
    let sortBy, byTitle, byNewest, byShortest, byLongest, byPrice, byRating, byRelevance: String
    let sectionsLabel, allTitles, featured, new, offers, free, genre, allGenres, nothingHere, listsForMembers,
        tooLong, tryAgain, cast: String
    let series, seasonOfNumber, specials, furtherTitles, albums, artists, noSeries, noAlbums: String
    let titles, tracks, viewers: PluralText
    let noTitles, noTracks, noHLS, duration, artist, album, cover, poster, player, chapters: String
    let stateIdle, stateLive, stateInterrupted, offAir, watch, edit, goLive, talkAbout: String
    let noSuchTitle, noSuchTrack, titleFailed, trackFailed, notReadyYet, preparationCancelled, leftOut, omitted: String
    let inMaintenance, maintenanceNotice: String
    let pageNotFound, pageNotFoundText, requestFailed, help: String
    let trailerMark, recordingMark, memberVideoMark, recordings: String
    let queued, downloading, inPreparation, probing, indexing, transcoding, failed, cancelled: String
    let chartTitle, chartOfHoursTitle, chartAsBars, chartByHours, chartEmpty, liveChannels, videoTitles, audioTracks,
        channelsOnAir: String
    let shareHeading, version, byline, howToPush, howToPushText, howToPlay, howToPlayText, api, category, count,
        share: String
    let apiIntroduction, apiResources, apiForEveryone, apiNeedsCredential, apiField, apiKind, apiMeaning, apiProblems,
        apiProblemsText: String

    /// The number of viewers, such as `1 viewer` or `2 viewers`.
    func viewerCount(_ count: Int) -> String { viewers(count) }

    /// The number of titles of a collection, which is counted up to a limit.
    func titleCount(_ count: Int) -> String { Self.counted(count, titles) }

    /// The number of tracks of a collection.
    func trackCount(_ count: Int) -> String { Self.counted(count, tracks) }

    private static func counted(_ count: Int, _ text: PluralText) -> String {
        text(count, isLimit: count >= LibraryCollection<TitleRecord>.maximumCount)
    }

    /// The heading of a season; `nil` for titles without one. Season 0 has what belongs to no other.
    func season(_ number: Int?) -> String {
        switch number {
        case 0: specials
        case let number?: seasonOfNumber.filled("number", with: "\(number)")
        case nil: furtherTitles
        }
    }

    /// The name of an order of lists.
    func order(_ order: RecordOrder) -> String {
        switch order {
        case .title: byTitle
        case .newest: byNewest
        case .duration: byShortest
        case .longest: byLongest
        }
    }

    /// The name of an order of lists of titles that can be played.
    func order(_ order: ShelfOrder) -> String {
        switch order {
        case .newest: byNewest
        case .title: byTitle
        case .price: byPrice
        case .rating: byRating
        case .relevance: byRelevance
        }
    }

    /// The name of a section; `nil` for all titles.
    func section(_ section: TitleSection?) -> String {
        switch section {
        case .featured: featured
        case .new: new
        case .offers: offers
        case .free: free
        case nil: allTitles
        }
    }

    var siteLanguage: SiteLanguage { SiteLanguage(rawValue: language) ?? .english }

    /// The parts of a file that are not in its title. The library gives them with their reasons, in English.
    func omission(_ leftOut: String) -> String {
        siteLanguage == .english ? leftOut : omitted
    }

    /// The mark of a title that is not a film; `nil` for films.
    func mark(_ kind: TitleKind) -> String? {
        switch kind {
        case .film: nil
        case .trailer: trailerMark
        case .recording: recordingMark
        case .memberVideo: memberVideoMark
        }
    }

    /// The name of the list of titles of a kind.
    func list(of kind: TitleKind) -> String { kind == .recording ? recordings : videoClub }

    /// The text for a state of a title, track or job.
    func state(_ state: String) -> String {
        switch state {
        case "queued": queued
        case "downloading": downloading
        case "probing": probing
        case "indexing": indexing
        case "transcoding": transcoding
        case "failed": failed
        case "cancelled": cancelled
        default: state
        }
    }
}
