import Accounts
import Database
import Events
import LogMetadata
import Logging
import MediaCore
import Notifications
import ServiceLifecycle
import Workflows

/// Runs the services that notify members: their notifications, streams, mails, push messages and webhooks.
struct NotificationService: Service {
    let notifications: Notifications
    let journal: EventJournal
    /// Looks for what is told besides the deeds of members.
    let triggers: NotificationTriggers
    /// `nil` for a server that sends no mail.
    let mails: NotificationMails?
    /// `nil` for a server that sends no push messages.
    let push: PushDispatcher?
    let changes: DatabaseChanges
    let steadiness: ClockSteadiness
    let logger: Logger
    /// Measures the intervals in which is looked for what is due.
    var clock: any Clock<Duration> = ContinuousClock()

    private static let mailInterval = Duration.seconds(10)
    /// The time by which something is told late, at most, that is due at a time and not after a change.
    private static let longestPause = Duration.seconds(10)
    /// Time after which streams are looked at although nothing in the database has changed.
    private static let longestStreamPause = Duration.seconds(30)
    private static let rentalInterval = Duration.seconds(60)
    private static let maintenanceInterval = Duration.seconds(3_600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await tell() }
                group.addTask { await refreshStreams() }
                group.addTask { await beat() }
                group.addTask { await followJournal() }
                group.addTask {
                    let events = NotificationEvents(notifications: notifications, journal: journal)
                    await RefreshLoop.run(
                        after: changes, atLeastEvery: Self.longestPause, events.noteDue
                    ) { error in
                        logger.warning(
                            "webhook notifications could not be queued; will retry", metadata: [.error: "\(error)"])
                    }
                }
                if let mails {
                    group.addTask {
                        await RefreshLoop.run(every: Self.mailInterval, clock: clock, mails.sendDue) { error in
                            logger.warning(
                                "mail notifications could not be sent; will retry", metadata: [.error: "\(error)"])
                        }
                    }
                }
                if let push {
                    group.addTask {
                        await RefreshLoop.run(
                            after: changes, atLeastEvery: Self.longestPause, push.sendDue
                        ) { error in
                            logger.warning(
                                "push notifications could not be sent; will retry", metadata: [.error: "\(error)"])
                        }
                    }
                }
                group.addTask {
                    await RefreshLoop.sweep(every: Self.rentalInterval, clock: clock, triggers.noteRentals) { error in
                        logger.warning(
                            "rentals that end soon could not be read; will retry", metadata: [.error: "\(error)"])
                    }
                }
                group.addTask {
                    await RefreshLoop.sweep(
                        every: Self.maintenanceInterval, clock: clock, while: steadiness, notifications.maintain
                    ) { error in
                        logger.warning(
                            "old notifications could not be deleted; will retry", metadata: [.error: "\(error)"])
                    }
                }
            }
        }
    }

    /// Deeds that are noted are told at once; those of other servers and those that were postponed, soon.
    private func tell() async {
        var isAway = false
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in changes.follow(atLeastEvery: Self.longestPause) { notifications.wake() }
            }
            for await _ in notifications.wakeUps {
                do {
                    try await notifications.tellAll()
                    isAway = false
                } catch {
                    if !isAway, !Task.isCancelled {
                        logger.warning("notifications could not be written; will retry", metadata: [.error: "\(error)"])
                    }
                    isAway = true
                }
            }
            group.cancelAll()
        }
    }

    private func refreshStreams() async {
        await RefreshLoop.run(after: changes, atLeastEvery: Self.longestStreamPause) {
            try await notifications.refreshStreams()
        } onOutage: { error in
            logger.warning("notification streams could not be refreshed; will retry", metadata: [.error: "\(error)"])
        }
        notifications.closeStreams()
    }

    private func beat() async {
        while (try? await clock.sleep(for: RevisionStreams<UserID>.heartbeatInterval)) != nil { notifications.beat() }
    }

    private func followJournal() async {
        for await _ in journal.follow() {
            do {
                try await triggers.noteLiveChannels()
            } catch {
                // The next look at the journal tries it again.
                logger.debug("go-live notifications could not be created; will retry", metadata: [.error: "\(error)"])
            }
        }
    }
}
