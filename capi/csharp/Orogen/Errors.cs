// Outcomes of calls, as exceptions.

using System;

namespace Orogen
{
    /// <summary>Outcome of a call: OrogenStatus in orogen.h.</summary>
    public enum Status
    {
        Ok = 0, Null = 1, Handle = 2, Utf8 = 3, Argument = 4, Size = 5, Recipe = 6, File = 7, Noise = 8, Parameter = 9, Region = 10, Memory = 11,
        Device = 12, Panic = 13, Stopped = 14, Bake = 15
    }

    /// <summary>A call failed. The message states the value and what is allowed.</summary>
    public sealed class OrogenException : Exception
    {
        public Status Status { get; }
        internal OrogenException(Status status, string message) : base(message) { Status = status; }
    }
}
