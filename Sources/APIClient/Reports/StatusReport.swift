package import APIContract
package import APIDeclarations
import JSONDocument
import MediaCore

/// The output of `antena status`: channels, titles, tracks and misplaced files.
package struct StatusReport: Sendable {
    private let channels: [APIObject<ChannelFields>]
    private let titles: [APIObject<TitleFields>]
    private let tracks: [APIObject<TrackFields>]
    private let misplaced: [APIObject<MisplacedFileFields>]

    /// - Parameters:
    ///   - channels: the channels with their status.
    ///   - titles: titles of all kinds.
    ///   - tracks: the tracks.
    ///   - misplaced: files in the media folder that were passed over.
    package init(
        channels: [APIObject<ChannelFields>], titles: [APIObject<TitleFields>], tracks: [APIObject<TrackFields>],
        misplaced: [APIObject<MisplacedFileFields>] = []
    ) {
        self.channels = channels
        self.titles = titles
        self.tracks = tracks
        self.misplaced = misplaced
    }

    /// Fetches the status of a running server.
    ///
    /// - Throws: ``ServerClientError``
    package static func fetch(from client: ServerClient) async throws -> StatusReport {
        StatusReport(
            channels: try await client.channels(), titles: try await client.titlesOfAllKinds(),
            tracks: try await client.tracks(), misplaced: try await client.items(LibraryAPI.listMisplacedFiles))
    }

    /// The status as JSON: `{"channels": […], "titles": […], "tracks": […], "misplaced": […]}`.
    package var json: String {
        JSONText.object([
            ("channels", channels.json), ("titles", titles.json), ("tracks", tracks.json),
            ("misplaced", misplaced.json),
        ]).rendered
    }

    /// The tables for a terminal.
    package var text: String {
        [channelTable, noticeTable, presetTable, titleTable, trackTable, misplacedTable]
            .compactMap(\.self).joined(separator: "\n\n")
    }

    // MARK: Tables

    private var channelTable: String {
        var table = TextTable(
            "CHANNEL", "STATE", "PRESET", "PUBLISHER", "MEDIA", "VIEWERS", "IN", "OUT", "LOST", "LAST ERROR")
        for channel in channels {
            table.add(
                channel.name.cell, Self.channelState(channel), channel.preset.cell, Self.publisher(channel),
                Self.media(channel.tracks ?? [], channel.ladder ?? []), Self.viewers(channel),
                Self.bytes(channel.bytesIn),
                Self.bytes(channel.bytesOut), channel.packetsLost.cell, Self.lastError(channel))
        }
        return table.text
    }

    /// Notices that require the operator's attention; `nil` if there are none.
    private var noticeTable: String? {
        var table = TextTable("CHANNEL", "NOTICE", "KEY FRAMES", "WHAT TO DO")
        for channel in channels {
            guard let notice = channel.gopTooLong else { continue }
            table.add(
                channel.name.cell, "gopTooLong", notice.keyFrameDistance.map { "every \($0.cell) s" } ?? "-",
                notice.advice.cell)
        }
        return table.isEmpty ? nil : table.text
    }

    /// The promised and the measured values of each publisher; `nil` if there are none.
    private var presetTable: String? {
        var table = TextTable("CHANNEL", "PRESET", "QUANTITY", "PROMISED", "MEASURED", "VERDICT")
        for channel in channels {
            guard let comparison = channel.presetComparison else { continue }
            if let values = comparison.resolution {
                table.add(
                    channel.name.cell, channel.preset.cell, "resolution", Self.resolution(values.promised),
                    Self.resolution(values.measured), values.verdict.cell)
            }
            let rates: [(quantity: String, values: APIObject<PromisedRateFields>?, cell: (Double) -> String)] = [
                ("frame rate", comparison.frameRate, { "\(Int(clamping: $0)) fps" }),
                ("video", comparison.videoBitrate, Self.kilobits), ("audio", comparison.audioBitrate, Self.kilobits),
            ]
            for (quantity, values, cell) in rates {
                guard let values else { continue }
                table.add(
                    channel.name.cell, channel.preset.cell, quantity, values.promised.map(cell) ?? "-",
                    values.measured.map(cell) ?? "-", values.verdict.cell)
            }
        }
        return table.isEmpty ? nil : table.text
    }

    private static func resolution(_ resolution: APIObject<ResolutionFields>?) -> String {
        resolution.map { "\($0.width.cell)x\($0.height.cell)" } ?? "-"
    }

    private static func kilobits(_ rate: Double) -> String { "\(Int(clamping: rate / 1000)) kb/s" }

    private var titleTable: String {
        var table = TextTable("ID", "TITLE", "STATE", "DURATION", "ENCRYPTED", "FILE", "ERROR")
        for title in titles {
            table.add(
                title.id.cell, TextTable.short(title.title.cell), Self.state(title.state, title.progress),
                Self.duration(title.duration), title.encrypt == true ? title.encryption.cell : "-",
                TextTable.short(title.file.cell),
                TextTable.short(title.error.cell))
        }
        return table.isEmpty ? "no titles" : table.text
    }

    private var trackTable: String {
        var table = TextTable("ID", "TRACK", "ARTIST", "ALBUM", "STATE", "DURATION", "ERROR")
        for track in tracks {
            let progress = track.json["progress"].flatMap(Double.init(json:))
            table.add(
                track.id.cell, TextTable.short(track.title.cell), TextTable.short(track.artist.cell),
                TextTable.short(track.album.cell), Self.state(track.state, progress), Self.duration(track.duration),
                TextTable.short(track.error.cell))
        }
        return table.isEmpty ? "no tracks" : table.text
    }

    /// Files in the media folder that were passed over; `nil` if there are none.
    private var misplacedTable: String? {
        var table = TextTable("PASSED OVER", "WHAT TO DO")
        for file in misplaced { table.add(file.file.cell, Self.remedy(file)) }
        return table.isEmpty ? nil : table.text
    }

    /// Advice about a file that was passed over.
    private static func remedy(_ file: APIObject<MisplacedFileFields>) -> String {
        switch file.reason.cell {
        case "wrongFolder": "move it to media/\(file.belongsTo.cell)"
        case "unknownKind": "convert it or move it away: Antena does not read files with this extension"
        case "nameNotUTF8": "rename it: its name is not valid UTF-8"
        case "nameTooLong": "shorten its name or those of its folders"
        case "tooDeep": "move it up: folders this deep are not searched"
        case "notAFile": "move it away: it is not a regular file"
        case let reason: reason
        }
    }

    // MARK: Cells

    /// The state with its progress: `ready`, `transcoding 40 %`.
    private static func state(_ state: String?, _ progress: Double?) -> String {
        guard let progress, state != "ready" else { return state.cell }
        return "\(state.cell) \(Int(clamping: progress * 100)) %"
    }

    /// The time of the newest error, to the minute, and its message.
    private static func lastError(_ channel: APIObject<ChannelFields>) -> String {
        guard let error = channel.errors?.last else { return "-" }
        let time = error.at.map { "\($0.text.prefix(16).replacing("T", with: " ")) " } ?? ""
        return time + TextTable.short(error.message.cell)
    }

    /// The state with slate and recording: `live, recording`, `interrupted, slate`.
    private static func channelState(_ channel: APIObject<ChannelFields>) -> String {
        var parts = [channel.state.cell]
        if channel.slate == true { parts.append("slate") }
        switch channel.recording?.state {
        case "recording": parts.append("recording")
        case "failed": parts.append("recording failed")
        default: break
        }
        return parts.joined(separator: ", ")
    }

    /// The number of viewers, with those of the audio and MPEG-TS variants in parentheses.
    private static func viewers(_ channel: APIObject<ChannelFields>) -> String {
        let variants = channel.viewersByVariant
        let counts: [(name: String, count: Int?)] = [("audio", variants?.audio), ("ts", variants?.ts)]
        let others = counts.compactMap { name, count -> String? in
            guard let count, count > 0 else { return nil }
            return "\(count) \(name)"
        }
        return channel.viewers.cell + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    }

    private static func publisher(_ channel: APIObject<ChannelFields>) -> String {
        // Without the token the server does not reveal the publisher's address.
        let publisher = channel.publisher
        let address = publisher?.address ?? (publisher == nil ? "-" : "yes")
        let waitingCount = channel.waitingPublishers?.count ?? 0
        return waitingCount == 0 ? address : "\(address) (\(waitingCount) waiting)"
    }

    private static func media(
        _ tracks: [APIObject<ChannelTrackFields>], _ ladder: [APIObject<ChannelRungFields>]
    ) -> String {
        let texts = tracks.map { track in
            var parts = [track.codec.cell]
            if let original = track.transcodedFrom { parts.append("transcoded from \(original)") }
            if let width = track.width, let height = track.height { parts.append("\(width)x\(height)") }
            if let rate = track.frameRate, track.type == "video" { parts.append("\(Int(clamping: rate)) fps") }
            if let bits = track.bitRate { parts.append(kilobits(Double(bits))) }
            return parts.joined(separator: " ")
        }
        let rungs = ladder.map { rung in
            rung.state == "encoded" ? rung.name.cell : "\(rung.name.cell) (\(rung.state.cell))"
        }
        let all = texts + (rungs.isEmpty ? [] : ["also \(rungs.joined(separator: ", "))"])
        return all.isEmpty ? "-" : all.joined(separator: ", ")
    }

    private static func bytes(_ byteCount: Int?) -> String {
        guard let byteCount, byteCount > 0 else { return "-" }
        let count = Double(byteCount)
        if count < 1e6 { return "\(Int(clamping: count / 1e3)) kB" }
        return count < 1e9 ? "\(Int(clamping: count / 1e6)) MB" : "\(Int(clamping: count / 1e9)) GB"
    }

    private static func duration(_ seconds: Double?) -> String { seconds.map(PlayingTime.text) ?? "-" }
}

extension Int {
    /// The nearest integer; clamps what `Int` cannot hold, because a server may send any number.
    fileprivate init(clamping number: Double) {
        self = Int(exactly: number.rounded()) ?? (number > 0 ? .max : 0)
    }
}
