import CLibAV
import Glibc

/// Threads for decoding and encoding, which block and need stack space.
package enum MediaThread {
    /// The stack size in bytes. Decoders keep tables of some 100 KB on the stack; by default each thread would reserve
    /// the process's 8 MB.
    private static let stackByteCount = 2 * 1_024 * 1_024

    private final class Body {
        let name: String
        let run: () -> Void

        init(name: String, run: @escaping () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts a detached thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name, at most 15 characters, for `top` and debuggers.
    ///   - run: Called on the thread, which ends when it returns.
    /// - Returns: False if the system cannot create another thread.
    package static func start(name: String, run: sending @escaping () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackByteCount)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { opaque in
                if let opaque {
                    let body = Unmanaged<Body>.fromOpaque(opaque).takeRetainedValue()
                    antena_name_this_thread(body.name)
                    body.run()
                }
                return nil
            }, body.toOpaque())
        if result != 0 { body.release() }
        return result == 0
    }
}
