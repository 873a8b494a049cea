import SiteTexts

/// The texts of the operator's dashboard.
struct DashboardText: SiteTextSection {
    static let section = "dashboard"

    let heading, allIsWell, alerts, channels, jobs, noJobs, machine, more: String
    let interrupted, interruptedText, belowPreset, belowPresetText, keyFrames, waiting, waitingText, diskFull,
        diskFullText, reported: String
    let preset, picture, frames, videoRate, audioRate, publisher, viewers, loss, onAirFor, kept, below, above: String
    let disk, memory, load, diskFree: String
    let documentation, testPlayer: String
}
