import APIClient
import ArgumentParser

/// Options of commands that choose results.
struct ResultFilterOptions: ParsableArguments {
    @Argument(help: "IDs of matches. (default: all that the options choose)")
    var ids: [String] = []

    @Option(help: "Only results of this channel.")
    var channel: String?

    @Option(help: "Only results of the player with this ID.")
    var player: String?

    @Option(help: "Only results of this competition.")
    var competition: String?

    @Option(help: ArgumentHelp("Only results since this day, in UTC.", valueName: "yyyy-mm-dd"))
    var from: String?

    @Option(help: ArgumentHelp("Only results up to this day, in UTC.", valueName: "yyyy-mm-dd"))
    var until: String?

    var filter: ResultFilter {
        ResultFilter(
            ids: ids, channel: channel, player: player, competition: competition, from: from, until: until)
    }
}
