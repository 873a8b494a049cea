package import JSONDocument
import MediaCore

/// The output of `antena status`: channels, titles, tracks and misplaced files.
package struct StatusReport: Sendable {
    private let channels: [JSONNode]
    private let titles: [JSONNode]
    private let tracks: [JSONNode]
    private let misplaced: [JSONNode]

    /// - Parameters:
    ///   - channels: items of `/api/v1/channels`.
    ///   - titles: items of `/api/v1/titles`.
    ///   - tracks: items of `/api/v1/tracks`.
    ///   - misplaced: items of `/api/v1/library/misplaced`.
    package init(channels: [JSONNode], titles: [JSONNode], tracks: [JSONNode], misplaced: [JSONNode] = []) {
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
            channels: try await client.list("/api/v1/channels"),
            titles: try await client.list(ServerClient.titlesOfAllKinds),
            tracks: try await client.list("/api/v1/tracks"),
            misplaced: try await client.list("/api/v1/library/misplaced"))
    }

    /// The status as JSON: `{"channels": […], "titles": […], "tracks": […], "misplaced": […]}`.
    package var json: String {
        JSONText.object([
            ("channels", .array(channels.map(JSONText.init))), ("titles", .array(titles.map(JSONText.init))),
            ("tracks", .array(tracks.map(JSONText.init))), ("misplaced", .array(misplaced.map(JSONText.init))),
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
                channel.text("name"), Self.channelState(channel), channel.text("preset"),
                Self.publisher(channel), Self.media(channel["tracks"]?.elements ?? []),
                Self.viewers(channel), Self.bytes(channel["bytesIn"]), Self.bytes(channel["bytesOut"]),
                channel.text("packetsLost"), Self.lastError(channel))
        }
        return table.text
    }

    /// Notices that require the operator's attention; `nil` if there are none.
    private var noticeTable: String? {
        var table = TextTable("CHANNEL", "NOTICE", "KEY FRAMES", "WHAT TO DO")
        for channel in channels {
            guard let notice = channel["gopTooLong"] else { continue }
            table.add(
                channel.text("name"), "gopTooLong",
                notice["keyFrameDistance"] == nil
                    ? "-" : "every \(notice.text("keyFrameDistance")) s", notice.text("advice"))
        }
        return table.isEmpty ? nil : table.text
    }

    /// The promised and the measured values of each publisher; `nil` if there are none.
    private var presetTable: String? {
        var table = TextTable("CHANNEL", "PRESET", "QUANTITY", "PROMISED", "MEASURED", "VERDICT")
        for channel in channels {
            for (field, quantity) in Self.quantities {
                guard let values = channel["presetComparison"]?[field] else { continue }
                table.add(
                    channel.text("name"), channel.text("preset"), quantity.name,
                    values["promised"].map(quantity.cell) ?? "-", values["measured"].map(quantity.cell) ?? "-",
                    values.text("verdict"))
            }
        }
        return table.isEmpty ? nil : table.text
    }

    private static let quantities: [(field: String, quantity: (name: String, cell: @Sendable (JSONNode) -> String))] = [
        ("resolution", ("resolution", { "\($0.text("width"))x\($0.text("height"))" })),
        ("frameRate", ("frame rate", { "\(Int(clamping: $0.number ?? 0)) fps" })),
        ("videoBitrate", ("video", kilobits)), ("audioBitrate", ("audio", kilobits)),
    ]

    @Sendable private static func kilobits(_ node: JSONNode) -> String {
        "\(Int(clamping: (node.number ?? 0) / 1000)) kb/s"
    }

    private var titleTable: String {
        var table = TextTable("ID", "TITLE", "STATE", "DURATION", "ENCRYPTED", "FILE", "ERROR")
        for title in titles {
            table.add(
                title.text("id"), TextTable.short(title.text("title")), Self.state(title),
                Self.duration(title["duration"]), title["encrypt"]?.boolean == true ? "yes" : "-",
                TextTable.short(title.text("file")), TextTable.short(title.text("error")))
        }
        return table.isEmpty ? "no titles" : table.text
    }

    private var trackTable: String {
        var table = TextTable("ID", "TRACK", "ARTIST", "ALBUM", "STATE", "DURATION", "ERROR")
        for track in tracks {
            table.add(
                track.text("id"), TextTable.short(track.text("title")), TextTable.short(track.text("artist")),
                TextTable.short(track.text("album")), Self.state(track), Self.duration(track["duration"]),
                TextTable.short(track.text("error")))
        }
        return table.isEmpty ? "no tracks" : table.text
    }

    /// Files in the media folder that were passed over; `nil` if there are none.
    private var misplacedTable: String? {
        var table = TextTable("PASSED OVER", "WHAT TO DO")
        for file in misplaced { table.add(file.text("file"), Self.remedy(file)) }
        return table.isEmpty ? nil : table.text
    }

    /// Advice about a file that was passed over.
    private static func remedy(_ file: JSONNode) -> String {
        switch file.text("reason") {
        case "wrongFolder": "move it to media/\(file.text("belongsTo"))"
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
    private static func state(_ entry: JSONNode) -> String {
        guard let progress = entry["progress"]?.number, entry.text("state") != "ready" else {
            return entry.text("state")
        }
        return "\(entry.text("state")) \(Int(clamping: progress * 100)) %"
    }

    /// The time of the newest error, to the minute, and its message.
    private static func lastError(_ channel: JSONNode) -> String {
        guard let error = channel["errors"]?.elements?.last else { return "-" }
        let time = error["at"]?.string.map { "\($0.prefix(16).replacing("T", with: " ")) " } ?? ""
        return time + TextTable.short(error.text("message"))
    }

    /// The state with slate and recording: `live, recording`, `interrupted, slate`.
    private static func channelState(_ channel: JSONNode) -> String {
        var parts = [channel.text("state")]
        if channel["slate"]?.boolean == true { parts.append("slate") }
        switch channel["recording"]?["state"]?.string {
        case "recording": parts.append("recording")
        case "failed": parts.append("recording failed")
        default: break
        }
        return parts.joined(separator: ", ")
    }

    /// The number of viewers, with those of the audio and MPEG-TS variants in parentheses.
    private static func viewers(_ channel: JSONNode) -> String {
        let others = ["audio", "ts"].compactMap { name -> String? in
            guard let count = channel["viewersByVariant"]?[name]?.integer, count > 0 else { return nil }
            return "\(count) \(name)"
        }
        return channel.text("viewers") + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    }

    private static func publisher(_ channel: JSONNode) -> String {
        // Without the token the server does not reveal the publisher's address.
        let publisher = channel["publisher"]
        let address = publisher?["address"]?.string ?? (publisher == nil ? "-" : "yes")
        let waitingCount = channel["waitingPublishers"]?.elements?.count ?? 0
        return waitingCount == 0 ? address : "\(address) (\(waitingCount) waiting)"
    }

    private static func media(_ tracks: [JSONNode]) -> String {
        let texts = tracks.map { track in
            var parts = [track.text("codec")]
            if let original = track["transcodedFrom"]?.string { parts.append("transcoded from \(original)") }
            if let width = track["width"]?.integer, let height = track["height"]?.integer {
                parts.append("\(width)x\(height)")
            }
            if let rate = track["frameRate"]?.number, track["type"]?.string == "video" {
                parts.append("\(Int(clamping: rate)) fps")
            }
            if let bits = track["bitRate"]?.number { parts.append("\(Int(clamping: bits / 1000)) kb/s") }
            return parts.joined(separator: " ")
        }
        return texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }

    private static func bytes(_ node: JSONNode?) -> String {
        guard let count = node?.number, count > 0 else { return "-" }
        if count < 1e6 { return "\(Int(clamping: count / 1e3)) kB" }
        return count < 1e9 ? "\(Int(clamping: count / 1e6)) MB" : "\(Int(clamping: count / 1e9)) GB"
    }

    private static func duration(_ node: JSONNode?) -> String {
        node?.number.map(PlayingTime.text) ?? "-"
    }
}

extension Int {
    /// The nearest integer; clamps what `Int` cannot hold, because a server may send any number.
    fileprivate init(clamping number: Double) {
        self = Int(exactly: number.rounded()) ?? (number > 0 ? .max : 0)
    }
}
