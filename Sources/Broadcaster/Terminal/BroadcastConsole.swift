import Capture
import Foundation
import MediaCore
import NIOPosix
import Synchronization

/// Runs a broadcast on the console: shows its status, and ends it on request.
package struct BroadcastConsole: Sendable {
    /// The output formats.
    package enum Style: Hashable, Sendable {
        /// A terminal, redrawn each second; `q` ends the broadcast.
        case interactive
        /// Lines of text, for a log.
        case plain
        /// Lines of JSON, for a program.
        case json
    }

    /// The output format.
    package var style: Style
    /// The preview to show.
    package var preview: BroadcastPlan.PreviewChoice
    /// Seconds after which the broadcast ends by itself; `nil` for no limit.
    package var duration: Double?

    /// Creates a console; the parameters are the properties of the same names.
    package init(style: Style, preview: BroadcastPlan.PreviewChoice, duration: Double?) {
        self.style = style
        self.preview = preview
        self.duration = duration
    }

    /// Seconds between lines of text in a log.
    private static let plainInterval = Duration.seconds(10)

    /// Runs a broadcast until it ends and returns its final status.
    ///
    /// - Parameters:
    ///   - settings: The settings; their preview is replaced by the console's.
    ///   - observer: Asks the server what it receives; `nil` if the server cannot be asked.
    /// - Throws: ``BroadcastError``
    package func run(
        _ settings: BroadcastSettings, observer: GatewayObserver?
    ) async throws(BroadcastError) -> BroadcastStatus {
        var settings = settings
        let size = Terminal.size
        settings.preview = preview.request(columns: size.columns, rows: size.rows)
        let broadcast = Broadcast(settings, observer: observer)
        let page: PreviewServer? =
            if case .page(let address) = preview { try PreviewServer(address: address) } else { nil }
        let terminal =
            style == .interactive
            ? Terminal(
                onKey: { key in if key == "q" || key == "Q" { broadcast.stop() } }, onHangUp: { broadcast.stop() })
            : nil
        defer { terminal?.close() }
        let signals = EndingSignals({ broadcast.stop() }, onExit: { terminal?.close() })
        defer { signals.cancel() }
        let output = Output { broadcast.stop() }
        let result = await withTaskGroup(of: Result<BroadcastStatus, BroadcastError>?.self) { group in
            group.addTask {
                do throws(BroadcastError) { return .success(try await broadcast.run()) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await show(broadcast, terminal, page, output)
                return nil
            }
            if let page {
                group.addTask {
                    do {
                        try await page.run { address in say("preview at \(address)", terminal, output) }
                    } catch is CancellationError {
                    } catch {
                        say("cannot serve the preview: \(BroadcastError.words(error))", terminal, output)
                    }
                    return nil
                }
            }
            if let duration {
                group.addTask {
                    try? await Task.sleep(for: .seconds(duration))
                    broadcast.stop()
                    return nil
                }
            }
            var end: Result<BroadcastStatus, BroadcastError>?
            while let next = await group.next() {
                guard let next else { continue }
                end = next
                group.cancelAll()
            }
            return end ?? .failure(BroadcastError(.connectionLost, "the broadcast was ended"))
        }
        let status = try result.get()
        terminal?.close()
        output.write(style == .json ? StatusJSON.line(status) : StatusText.summary(status))
        return status
    }

    /// Writes lines to standard output at once, whatever that is. If a pipe's reader is gone, the broadcast ends,
    /// because nobody watches it any more.
    private struct Output: Sendable {
        let onClosed: @Sendable () -> Void

        func write(_ line: String) { if LineOutput().write(line + "\n") == .closed { onClosed() } }
    }

    /// Prints a line before a broadcast runs.
    package func say(_ text: String) { say(text, nil, Output {}) }

    private func say(_ text: String, _ terminal: Terminal?, _ output: Output) {
        switch style {
        case .interactive: if let terminal { terminal.say(text) } else { output.write(text) }
        case .plain: output.write(text)
        case .json: output.write(StatusJSON.line(notice: text))
        }
    }

    private func show(
        _ broadcast: Broadcast, _ terminal: Terminal?, _ page: PreviewServer?, _ output: Output
    ) async {
        var image: [String] = []
        var last: BroadcastStatus?
        var lastLine = -Self.plainInterval.seconds
        for await event in broadcast.events {
            switch event {
            case .notice(let text): say(text, terminal, output)
            case .preview(let preview):
                if let page {
                    page.show(preview)
                } else {
                    image = HalfBlockImage.lines(preview, columns: Terminal.size.columns)
                    if let last { draw(last, image, terminal) }
                }
            case .status(let status):
                page?.show(status)
                guard status.state != .ended else { continue }
                last = status
                switch style {
                case .interactive:
                    if case .terminal = preview {
                        let size = Terminal.size
                        broadcast.setPreview(preview.request(columns: size.columns, rows: size.rows))
                    }
                    draw(status, image, terminal)
                case .plain:
                    guard status.elapsed - lastLine >= Self.plainInterval.seconds else { continue }
                    lastLine = status.elapsed
                    for line in StatusText.lines(status, columns: .max) where !line.isEmpty { output.write(line) }
                case .json: output.write(StatusJSON.line(status))
                }
            }
        }
    }

    private func draw(_ status: BroadcastStatus, _ image: [String], _ terminal: Terminal?) {
        let size = Terminal.size
        let rows = image.count + 3 <= size.rows ? image : []
        terminal?.draw(rows + StatusText.lines(status, columns: size.columns) + ["press q to end the broadcast"])
    }
}
