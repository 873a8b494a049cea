import SiteTexts

/// The texts of the operator's pages.
struct DashboardText: SiteTextSection {
    static let section = "dashboard"

    let heading, allIsWell, alerts, channels, jobs, noJobs, machine, more: String
    let interrupted, interruptedText, belowPreset, belowPresetText, keyFrames, waiting, waitingText, diskFull,
        diskFullText, reported: String
    let preset, picture, frames, videoRate, audioRate, publisher, viewers, loss, onAirFor, kept, below, above,
        keyFrameDistance: String
    let disk, memory, load, diskFree, eventLoopDelay, databaseDelay, storeDelay: String
    let documentation, testPlayer, components: String
    /// The labels of the buttons.
    let disconnect, record, stopRecording, clip, cancel, retry, doFirst, edit, reload, done, settings: String
    let failedJobs, lastHour, upTo, allViewers, viewersNow, lastDays, noViewers, channel, title, hours, peak,
        watched: String
    /// The names of the kinds of programs with which people watch.
    let clients: [String: String]
    let roundTrip, packets, packetsText, sourceName, restreamName, relayFails, start, stop: String
    /// The names of the states of sources and restreams.
    let relayStates: [String: String]
    let log, level, words, filter, noLines: String
    let station, stationName, accent, maintenance, formal, stationText, save, saved, allSettings, allSettingsText,
        notSaved,
        changedMeanwhile: String
    let newChannel, newChannelText, channelName, channelTitle, timeShift, recordAlways, create: String
}
