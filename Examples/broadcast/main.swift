// Pushes a test card to any RTSP server that takes pushes, and says each second how it stands: what another program
// does with the library product `AntenaBroadcaster`. Built without access to what is `package` in Antena.
//
//     swift run example-broadcast rtsp://127.0.0.1:8554/live/canalA.stream 10

import Broadcaster
import Capture

guard CommandLine.arguments.count == 3, let seconds = Double(CommandLine.arguments[2]) else {
    fatalError("usage: example-broadcast RTSP-URL SECONDS")
}

do {
    let settings = BroadcastSettings(
        target: try PushTarget(parsing: CommandLine.arguments[1], transport: .tcp),
        source: .devices(video: .testCard(title: "EXAMPLE"), audio: .testTone),
        encoding: BroadcastEncoding(
            width: 640, height: 360, frameRate: 25, videoBitRate: 600_000, audioBitRate: 64_000))
    let broadcast = Broadcast(settings)
    let summary = try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            for await event in broadcast.events {
                switch event {
                case .status(let status):
                    print(status.state, "\(status.sentFrameCount) frames, \(Int(status.bitRate / 1_000)) kbit/s")
                case .notice(let text): print(text)
                case .preview: break
                }
            }
        }
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            broadcast.stop()
        }
        defer { group.cancelAll() }
        return try await broadcast.run()
    }
    print("sent \(summary.sentFrameCount) frames")
} catch let error as BroadcastError {
    print("\(error.code): \(error)")
}
