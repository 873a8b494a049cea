import HTTPEndpoints
import Mustache
import Synchronization
import Workflows

/// The Mustache templates of the site's pages, which are files in `Resources`; parsed for the first visitor.
enum SiteTemplates {
    enum Name: String, CaseIterable {
        case layout, overview, videoclub, radio, live, about, account, api, problem, community, competition
        case videos, video, embedding
        /// Lists of topics, one with its comments, and the rules of the forum.
        case forum, topic
        case forumRules = "forumrules"
        /// Lists of conversations and contacts; one conversation.
        case messages, conversation
        /// Series and the titles of one; albums or artists, and the tracks of an album.
        case series, episodes, albums, album
        case tester
        /// Going live from a browser.
        case broadcast
        /// A title's own page; what was found for some words.
        case title, search
        /// How to install the site as an app, and what is shown without a network.
        case installation
        /// The operator's dashboard, and the part of it that changes.
        case dashboard
        case dashboardState = "dashboardstate"
        case dashboardGraphs = "dashboardgraphs"
        case operatorLog = "operatorlog"
        case operatorLogLine = "operatorlogline"
        /// All courts, the board of one, the page of a referee, the matches that a tablet keeps, and drawings.
        case scoreboards, scoreboard, referee, tablet, strategy
        /// A new match; the players of matches.
        case matchSetUp = "matchsetup"
        case players
        /// Results of matches, one of them, and what those of a player come to.
        case results, result
        case playerStatistics = "playerstatistics"
        /// All components of the style sheet, in each of their states.
        case components

        /// The template of the page that the navigation has for it.
        var section: Name {
            switch self {
            case .competition, .videos, .video, .embedding, .forum, .topic, .forumRules, .messages, .conversation:
                .community
            case .series, .episodes, .title: .videoclub
            case .albums, .album: .radio
            case .tester: .about
            case .broadcast, .scoreboards, .scoreboard, .referee, .tablet, .matchSetUp, .players, .strategy, .results,
                .result, .playerStatistics:
                .live
            case .dashboard, .dashboardState, .dashboardGraphs, .operatorLog, .operatorLogLine, .components: .account
            default: self
            }
        }
    }

    private static let library = Mutex<MustacheLibrary?>(nil)

    /// Renders a template.
    ///
    /// - Throws: an error if a template is not valid.
    static func render(_ name: Name, _ values: [String: Any]) throws -> String {
        let library = try library.withLock { cached in
            if let cached { return cached }
            var templates: [String: MustacheTemplate] = [:]
            for name in Name.allCases { templates[name.rawValue] = try template(file(of: name)) }
            templates["narrowing"] = try template(PackageResources.narrowing_mustache)
            templates["collectioncard"] = try template(PackageResources.collectioncard_mustache)
            templates["competitioncard"] = try template(PackageResources.competitioncard_mustache)
            templates["titlecard"] = try template(PackageResources.titlecard_mustache)
            templates["action"] = try template(PackageResources.action_mustache)
            templates["avatar"] = try template(PackageResources.avatar_mustache)
            templates["markup"] = try template(PackageResources.markup_mustache)
            templates["markupspan"] = try template(PackageResources.markupspan_mustache)
            templates["form"] = try template(PackageResources.form_mustache)
            templates["map"] = try template(PackageResources.map_mustache)
            templates["banners"] = try template(PackageResources.banners_mustache)
            templates["words"] = try template(PackageResources.words_mustache)
            templates["share"] = try template(PackageResources.share_mustache)
            templates["strategyboard"] = try template(PackageResources.strategyboard_mustache)
            templates["matchform"] = try template(PackageResources.matchform_mustache)
            templates["scoremenu"] = try template(PackageResources.scoremenu_mustache)
            templates["hiding"] = try template(PackageResources.hiding_mustache)
            templates["resultdetail"] = try template(PackageResources.resultdetail_mustache)
            templates["resultmenu"] = try template(PackageResources.resultmenu_mustache)
            templates["notice"] = try template(PackageResources.notice_mustache)
            let library = MustacheLibrary(templates: templates)
            cached = library
            return library
        }
        return library.render(values, withTemplate: name.rawValue) ?? ""
    }

    private static func template(_ file: [UInt8]) throws -> MustacheTemplate {
        try MustacheTemplate(string: EmbeddedText.text(file))
    }

    private static func file(of name: Name) -> [UInt8] {
        switch name {
        case .layout: PackageResources.layout_mustache
        case .overview: PackageResources.overview_mustache
        case .videoclub: PackageResources.videoclub_mustache
        case .radio: PackageResources.radio_mustache
        case .live: PackageResources.live_mustache
        case .about: PackageResources.about_mustache
        case .account: PackageResources.account_mustache
        case .api: PackageResources.api_mustache
        case .tester: PackageResources.tester_mustache
        case .broadcast: PackageResources.broadcast_mustache
        case .scoreboards: PackageResources.scoreboards_mustache
        case .scoreboard: PackageResources.scoreboard_mustache
        case .referee: PackageResources.referee_mustache
        case .tablet: PackageResources.tablet_mustache
        case .strategy: PackageResources.strategy_mustache
        case .matchSetUp: PackageResources.matchsetup_mustache
        case .players: PackageResources.players_mustache
        case .results: PackageResources.results_mustache
        case .result: PackageResources.result_mustache
        case .playerStatistics: PackageResources.playerstatistics_mustache
        case .title: PackageResources.title_mustache
        case .search: PackageResources.search_mustache
        case .installation: PackageResources.installation_mustache
        case .dashboard: PackageResources.dashboard_mustache
        case .dashboardState: PackageResources.dashboardstate_mustache
        case .dashboardGraphs: PackageResources.dashboardgraphs_mustache
        case .operatorLog: PackageResources.operatorlog_mustache
        case .operatorLogLine: PackageResources.operatorlogline_mustache
        case .components: PackageResources.components_mustache
        case .problem: PackageResources.problem_mustache
        case .videos: PackageResources.videos_mustache
        case .video: PackageResources.video_mustache
        case .embedding: PackageResources.embedding_mustache
        case .messages: PackageResources.messages_mustache
        case .conversation: PackageResources.conversation_mustache
        case .community: PackageResources.community_mustache
        case .forum: PackageResources.forum_mustache
        case .topic: PackageResources.topic_mustache
        case .forumRules: PackageResources.forumrules_mustache
        case .competition: PackageResources.competition_mustache
        case .series, .albums: PackageResources.collections_mustache
        case .episodes, .album: PackageResources.collection_mustache
        }
    }
}
