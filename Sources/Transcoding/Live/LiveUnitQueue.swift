import Glibc
import MediaCore

/// The queue of units for a transcoder's thread, and the gate that the thread's output passes.
///
/// `@unchecked Sendable`: all mutable state is read and written with `mutex` held.
final class LiveUnitQueue: LiveUnitSource, @unchecked Sendable {
    private let limits: LiveTranscodingLimits
    /// True if units are dropped until a random access point after a gap: video frames cannot be decoded without those
    /// before them, audio frames can.
    private let dropsUntilRandomAccess: Bool
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    private var units: [AccessUnit] = []
    private var queuedByteCount = 0
    private var isWaitingForRandomAccess: Bool
    private var isClosed = false
    private var hasEnded = false
    /// True if the thread is waiting for a unit.
    private var isIdle = false
    /// The thread that is delivering output at the moment.
    private var deliveringThread: pthread_t?
    private var counts = LiveTranscodingStatistics()

    init(limits: LiveTranscodingLimits, dropsUntilRandomAccess: Bool) {
        self.limits = limits
        self.dropsUntilRandomAccess = dropsUntilRandomAccess
        isWaitingForRandomAccess = dropsUntilRandomAccess
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    var statistics: LiveTranscodingStatistics { locked { counts } }

    // MARK: The sender's side

    /// Queues a unit; returns false if it was dropped. The lock is only ever held briefly, never while libav works.
    func append(_ unit: AccessUnit) -> Bool {
        locked {
            guard !isClosed else { return false }
            let byteCount = unit.payload.byteCount
            let fits =
                units.count < limits.maximumQueuedUnitCount
                && byteCount <= limits.maximumQueuedByteCount - queuedByteCount
            guard fits, !isWaitingForRandomAccess || unit.isRandomAccessPoint else {
                counts.droppedUnitCount += 1
                isWaitingForRandomAccess = dropsUntilRandomAccess
                return false
            }
            isWaitingForRandomAccess = false
            counts.acceptedUnitCount += 1
            units.append(unit)
            queuedByteCount += byteCount
            pthread_cond_broadcast(changed)
            return true
        }
    }

    /// Closes the queue; nothing is delivered after this has returned. Waits for a delivery that is under way, unless
    /// called from within that delivery.
    func close() {
        locked {
            isClosed = true
            units = []
            queuedByteCount = 0
            pthread_cond_broadcast(changed)
            while let thread = deliveringThread, pthread_equal(thread, pthread_self()) == 0 {
                pthread_cond_wait(changed, mutex)
            }
        }
    }

    /// Waits until the thread has called ``end()``.
    func waitUntilEnded() {
        locked { while !hasEnded { pthread_cond_wait(changed, mutex) } }
    }

    /// Waits until the thread is done with all units, or has ended.
    func waitUntilIdle() {
        locked { while !hasEnded, !isIdle || !units.isEmpty { pthread_cond_wait(changed, mutex) } }
    }

    // MARK: The thread's side

    /// Waits for a unit; returns `nil` once the queue is closed.
    func next() -> AccessUnit? {
        locked {
            while units.isEmpty, !isClosed {
                isIdle = true
                pthread_cond_broadcast(changed)
                pthread_cond_wait(changed, mutex)
            }
            isIdle = false
            guard !isClosed, !units.isEmpty else { return nil }
            let unit = units.removeFirst()
            queuedByteCount -= unit.payload.byteCount
            return unit
        }
    }

    /// Calls `body`, unless the queue is closed.
    func deliver(_ body: () -> Void) {
        let isOpen = locked {
            if !isClosed { deliveringThread = pthread_self() }
            return !isClosed
        }
        guard isOpen else { return }
        body()
        locked {
            deliveringThread = nil
            pthread_cond_broadcast(changed)
        }
    }

    func noteDamagedUnit() { locked { counts.damagedUnitCount += 1 } }

    /// Records that the thread has freed its memory.
    func end() {
        locked {
            hasEnded = true
            pthread_cond_broadcast(changed)
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
